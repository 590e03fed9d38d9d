import torch


class MaxTensorNumber(torch.nn.Module):
    """The builtin `max` of a tensor and a number."""

    def forward(self, x):
        return x * max(x.sum(), 1.0)


example_args = (torch.randn(3, 2),)
tags = {"python.builtin", "torch.dynamic-value"}
model = MaxTensorNumber()
twin = "max_tensor_number_ok"
