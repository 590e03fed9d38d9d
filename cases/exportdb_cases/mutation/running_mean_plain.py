import torch


class RunningMeanPlain(torch.nn.Module):
    """Running statistics in a plain attribute."""

    def __init__(self):
        super().__init__()
        self.mean = torch.zeros(2)

    def forward(self, x):
        self.mean = 0.9 * self.mean + 0.1 * x.mean(0).detach()
        return x - self.mean


example_args = (torch.randn(3, 2),)
tags = {"python.object-model", "torch.mutation"}
model = RunningMeanPlain()
twin = "attribute_assign_ok"
