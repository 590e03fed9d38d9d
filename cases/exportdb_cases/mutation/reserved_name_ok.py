import torch


class ReservedNameOk(torch.nn.Module):
    """A layer under a name of its own."""

    def __init__(self):
        super().__init__()
        self.codebook = torch.nn.Embedding(8, 3)

    def forward(self, x):
        return self.codebook(x)


example_args = (torch.tensor([1, 5]),)
tags = {"python.data-structure"}
model = ReservedNameOk()
