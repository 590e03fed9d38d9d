import torch


class NumpyDtypeOfTensor(torch.nn.Module):
    """The dtype of a numpy array that a tensor was converted to, which strict export does not know."""

    def forward(self, x):
        array = x.numpy()
        return torch.from_numpy((array > 0).astype(array.dtype))


example_args = (torch.randn(3, 2),)
tags = {"torch.dynamic-value"}
model = NumpyDtypeOfTensor()
