import copy

import torch


class CopyTensor(torch.nn.Module):
    """`copy.copy` of a tensor rebuilds it from its storage, which a fake tensor has not."""

    def forward(self, x):
        y = copy.copy(x)
        return y + 1


example_args = (torch.randn(3, 2),)
tags = {"torch.dynamic-value", "python.standard-library"}
model = CopyTensor()
twin = "deepcopy_tensor_ok"
issues = ("https://github.com/pytorch/pytorch/issues/171977",)
