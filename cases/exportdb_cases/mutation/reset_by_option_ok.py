import torch


class ResetByOptionOk(torch.nn.Module):
    """State that an option of `forward` begins anew by default: no call finds what another left."""

    def __init__(self):
        super().__init__()
        self.state = torch.zeros(3)

    def forward(self, x, reset: bool = True):
        state = self.state
        if reset:
            state = torch.zeros(3)
        state = state + x.mean(0)
        self.state = state
        return x * state


example_args = (torch.randn(2, 3),)
tags = {"python.object-model"}
model = ResetByOptionOk()
