import torch


class NumpyDtypeOfTensorOk(torch.nn.Module):
    """The dtype of the tensor itself."""

    def forward(self, x):
        return (x > 0).to(x.dtype)


example_args = (torch.randn(3, 2),)
tags = {"torch.dynamic-value"}
model = NumpyDtypeOfTensorOk()
