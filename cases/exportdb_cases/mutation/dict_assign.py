import torch


class DictAssign(torch.nn.Module):
    """A dict on the module is written in eager only."""

    def __init__(self):
        super().__init__()
        self.state = {"h": torch.zeros(3, 2)}

    def forward(self, x):
        h = self.state["h"] + x
        self.state["h"] = h
        return h


example_args = (torch.randn(3, 2),)
tags = {"python.object-model", "python.data-structure"}
model = DictAssign()
twin = "state_returned_ok"
issues = ("https://github.com/pytorch/pytorch/issues/164732",)
