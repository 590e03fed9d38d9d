import torch


class TensorAsViewSizeOk(torch.nn.Module):
    """The size as a number."""

    def forward(self, x):
        return x.view(2, x.shape[0] // 2)


example_args = (torch.randn(8),)
tags = {"torch.dynamic-value"}
model = TensorAsViewSizeOk()
