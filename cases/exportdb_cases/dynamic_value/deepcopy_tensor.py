import copy

import torch


class DeepcopyTensor(torch.nn.Module):
    """`copy.deepcopy` of a tensor copies its storage, which a fake tensor has not."""

    def forward(self, x):
        y = copy.deepcopy(x)
        return y.sin()


example_args = (torch.randn(3, 2),)
tags = {"python.standard-library"}
model = DeepcopyTensor()
issues = ("https://github.com/pytorch/pytorch/issues/99000",)
