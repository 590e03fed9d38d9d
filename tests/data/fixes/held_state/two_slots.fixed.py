import torch


class Net(torch.nn.Module):
    """Two totals in a list."""

    def __init__(self):
        super().__init__()
        self.register_buffer("totals_0", torch.zeros(3), persistent=False)
        self.register_buffer("totals_1", torch.zeros(3), persistent=False)

    def forward(self, x):
        self.totals_0.copy_(self.totals_0 + x.sum(0))
        self.totals_1.copy_(self.totals_1 + self.totals_0)
        return x + self.totals_0 - self.totals_1


model = Net()
example_args = (torch.ones(2, 3),)
inputs = [(torch.ones(2, 3),), (torch.ones(2, 3) * 2,), (torch.ones(2, 3),)]
# mended: EDB402
