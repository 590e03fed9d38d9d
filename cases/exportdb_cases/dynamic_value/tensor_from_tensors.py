import torch


class TensorFromTensors(torch.nn.Module):
    """`torch.tensor` of a list that holds tensors reads their values."""

    def forward(self, x):
        return torch.tensor([x.sum(), 1.0]) * 2


example_args = (torch.randn(3, 2),)
tags = {"torch.dynamic-value", "python.data-structure"}
model = TensorFromTensors()
