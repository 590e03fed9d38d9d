import torch


class ReservedName(torch.nn.Module):
    """A layer is called `code`, as a property of `torch.fx.GraphModule` is."""

    def __init__(self):
        super().__init__()
        self.code = torch.nn.Embedding(8, 3)

    def forward(self, x):
        return self.code(x)


example_args = (torch.tensor([1, 5]),)
tags = {"python.data-structure"}
model = ReservedName()
