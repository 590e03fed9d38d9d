import torch


class TensorInOk(torch.nn.Module):
    """`(t == 1).any()` is a tensor and `torch.where` takes it."""

    def forward(self, x):
        return torch.where((x == 1).any(), x * 2, x)


example_args = (torch.tensor([1, 2, 3]),)
tags = {"python.builtin", "torch.dynamic-value"}
model = TensorInOk()
