import torch


class AsTensorOfItem(torch.nn.Module):
    """`torch.as_tensor` of a number read from a tensor reads its value."""

    def forward(self, x):
        return x * torch.as_tensor(x.max().item())


example_args = (torch.randn(3, 2),)
tags = {"torch.dynamic-value", "python.data-structure"}
model = AsTensorOfItem()
