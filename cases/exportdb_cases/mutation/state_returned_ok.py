import torch


class StateReturnedOk(torch.nn.Module):
    """State that goes in as an argument and out as a result."""

    def forward(self, x, state):
        h = state["h"] + x
        return h, {"h": h}


example_args = (torch.randn(3, 2), {"h": torch.zeros(3, 2)})
tags = {"python.data-structure"}
model = StateReturnedOk()
