"""How much noise a sampler adds is a bounded number between two levels of noise, and none outside of them."""

import torch


class Sampler(torch.nn.Module):
    def __init__(self, churn=1.0, low=0.05, high=50.0):
        super().__init__()
        self.churn, self.low, self.high = churn, low, high

    def forward(self, x, sigmas: torch.Tensor):
        for i in range(len(sigmas) - 1):
            gamma = min(self.churn / (len(sigmas) - 1), 2**0.5 - 1) if self.low <= sigmas[i] <= self.high else 0.0
            raised = sigmas[i] * (gamma + 1)
            if gamma > 0:
                x = x + x.sin() * (raised**2 - sigmas[i] ** 2) ** 0.5
            x = x * (sigmas[i + 1] / raised)
        return x


inputs = [
    (torch.ones(2, 3), torch.tensor([14.0, 2.0, 0.1])),
    (torch.ones(2, 3), torch.tensor([80.0, 60.0, 0.02])),
]
# refused: 13 not-a-tensor
