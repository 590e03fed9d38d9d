import torch


class TensorFromTensorsAndItemOk(torch.nn.Module):
    """`torch.tensor` of tensors beside a number read from one stays in the graph."""

    def forward(self, x):
        return torch.tensor([x.sum(), x.max().item()]) * 2


example_args = (torch.randn(3, 2),)
tags = {"torch.dynamic-value", "python.data-structure"}
model = TensorFromTensorsAndItemOk()
