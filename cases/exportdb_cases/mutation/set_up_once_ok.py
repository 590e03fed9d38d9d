import torch


class SetUpOnceOk(torch.nn.Module):
    """Tables that the first call makes, and no input decides: each call of the graph makes the same ones."""

    def __init__(self):
        super().__init__()
        self.bias = None
        self.length = 0
        self.tables = {}

    def forward(self, x):
        if self.bias is None:
            self.bias = torch.ones(2, device=x.device)
        length = x.shape[0]
        if length > self.length:
            self.length = length
            steps = torch.arange(self.length, device=x.device)
            self.angles = steps[:, None] / 10
        if length not in self.tables:
            self.tables[length] = torch.linspace(0, 1, 2)
        return x * self.angles.cos() + self.bias + self.tables[length]


example_args = (torch.randn(3, 2),)
tags = {"python.object-model"}
model = SetUpOnceOk()
