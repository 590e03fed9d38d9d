import torch


class NumpyOfTensor(torch.nn.Module):
    """`.numpy()` needs the memory of the tensor."""

    def forward(self, x):
        return torch.from_numpy(x.numpy() * 2)


example_args = (torch.randn(3, 2),)
tags = {"torch.dynamic-value"}
model = NumpyOfTensor()
twin = "numpy_free_ok"
issues = (
    "https://github.com/pytorch/pytorch/issues/132559",
    "https://github.com/pytorch/pytorch/issues/148779",
)
