import torch


class FlagFirstCall(torch.nn.Module):
    """A flag that the first call takes down: the graph repeats the first call."""

    def __init__(self):
        super().__init__()
        self.first = True

    def forward(self, x):
        if self.first:
            self.first = False
            return x * 2
        return x


example_args = (torch.randn(3, 2),)
tags = {"python.object-model"}
twin = "attribute_assign_ok"
model = FlagFirstCall()
