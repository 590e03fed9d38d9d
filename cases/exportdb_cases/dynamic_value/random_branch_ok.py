import torch


class RandomBranchOk(torch.nn.Module):
    """Keeping or dropping by a random tensor stays in the graph."""

    def __init__(self):
        super().__init__()
        self.layers = torch.nn.ModuleList(torch.nn.Linear(2, 2) for _ in range(8))

    def forward(self, x):
        for layer in self.layers:
            x = torch.where(torch.rand(()) < 0.5, x, layer(x))
        return x


example_args = (torch.randn(3, 2),)
tags = {"python.control-flow", "torch.dynamic-value"}
model = RandomBranchOk()
