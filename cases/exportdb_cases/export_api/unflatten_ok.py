import torch


class UnflattenOk(torch.nn.Module):
    """`torch.export.unflatten` gives the exported program its submodules back; it computes the same."""

    def __init__(self):
        super().__init__()
        self.head = torch.nn.Linear(2, 3)
        self.tail = torch.nn.Sequential(torch.nn.ReLU(), torch.nn.Linear(3, 2))

    def forward(self, x):
        return self.tail(self.head(x))


example_args = (torch.randn(3, 2),)
after = "unflatten"
tags = {"torch.operator"}
model = UnflattenOk()
