import torch


class StrOfTensor(torch.nn.Module):
    """`str(t)` while tracing shows the fake tensor, not the numbers."""

    def forward(self, x):
        return x * len(str(x))


example_args = (torch.randn(3, 2),)
tags = {"python.builtin", "torch.dynamic-value"}
model = StrOfTensor()
twin = "print_tensor_ok"
