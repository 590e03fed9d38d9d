import torch


class MaskOk(torch.nn.Module):
    """Indexing with a mask gives a tensor of unbacked size."""

    def forward(self, x):
        return x[x > 0].exp()


example_args = (torch.randn(3, 2),)
tags = {"torch.dynamic-value"}
model = MaskOk()
issues = ("https://github.com/pytorch/pytorch/pull/94523",)
