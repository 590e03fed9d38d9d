import torch


class SliceByTensor(torch.nn.Module):
    """A slice whose bound is a tensor itself."""

    def forward(self, x, n):
        return x[:n].sin()


example_args = (torch.randn(8), torch.tensor(4))
tags = {"torch.dynamic-value"}
model = SliceByTensor()
twin = "slice_item"
issues = ("https://github.com/pytorch/pytorch/issues/123592",)
