import torch


class PlainTensorsEqual(torch.nn.Module):
    """`torch.equal` of two tensors that the constructor made: non-strict export knows both."""

    def __init__(self):
        super().__init__()
        self.first = torch.tensor([1, 2])
        self.second = torch.tensor([1, 2])

    def forward(self, x):
        if torch.equal(self.first, self.second):
            return x + 1
        return x


example_args = (torch.randn(2, 3),)
tags = {"torch.dynamic-value", "python.control-flow"}
model = PlainTensorsEqual()
twin = "torch_equal_ok"
