import torch


class Dictionary(torch.nn.Module):
    """A dict that is built in forward."""

    def forward(self, x, y):
        elements = {"x2": x * x}
        return y * elements["x2"]


example_args = (torch.randn(3, 2), torch.tensor(4))
tags = {"python.data-structure"}
model = Dictionary()
exportdb_case = "dictionary"
