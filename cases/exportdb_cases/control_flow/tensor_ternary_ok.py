import torch


class TensorTernaryOk(torch.nn.Module):
    """`torch.where` also chooses between two numbers."""

    def forward(self, x):
        scale = torch.where(x.mean() > 0, 2.0, 0.5)
        return x * scale


example_args = (torch.randn(3, 2),)
tags = {"python.control-flow", "torch.dynamic-value"}
model = TensorTernaryOk()
