import torch


class PlainTensorBranch(torch.nn.Module):
    """A plain tensor that the constructor made of a number is data of the model: tracing does not know its value."""

    def __init__(self):
        super().__init__()
        self.limits = {"low": torch.tensor(0)}

    def forward(self, x):
        if self.limits["low"] > 0:
            return x * 2
        return x


example_args = (torch.randn(3, 2),)
tags = {"python.control-flow", "torch.dynamic-value"}
model = PlainTensorBranch()
twin = "plain_tensor_branch_ok"
