import torch


class ListSortNumbersOk(torch.nn.Module):
    """Sorting Python numbers is done while tracing."""

    def __init__(self):
        super().__init__()
        self.order = [2, 0, 1]

    def forward(self, x):
        return torch.stack([x[i] for i in sorted(self.order)])


example_args = (torch.randn(3, 2),)
tags = {"python.builtin"}
model = ListSortNumbersOk()
