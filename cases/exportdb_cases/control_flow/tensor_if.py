import torch


class TensorIf(torch.nn.Module):
    """A branch on the value of a tensor cannot be traced: there is no value while tracing."""

    def forward(self, x):
        if x.sum() > 0:
            return x.sin()
        return x.cos()


example_args = (torch.randn(3, 2),)
tags = {"python.control-flow", "torch.dynamic-value"}
model = TensorIf()
issues = (
    "https://github.com/pytorch/pytorch/issues/157355",
    "https://github.com/pytorch/pytorch/issues/163791",
)
