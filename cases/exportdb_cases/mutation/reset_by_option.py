import torch


class ResetByOption(torch.nn.Module):
    """State that an option of `forward` would begin anew, but does not by default."""

    def __init__(self):
        super().__init__()
        self.state = torch.zeros(3)

    def forward(self, x, reset: bool = False):
        state = self.state
        if reset:
            state = torch.zeros(3)
        state = state + x.mean(0)
        self.state = state
        return x * state


example_args = (torch.randn(2, 3),)
tags = {"python.object-model"}
model = ResetByOption()
