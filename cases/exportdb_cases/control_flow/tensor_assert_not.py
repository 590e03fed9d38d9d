import torch


class TensorAssertNot(torch.nn.Module):
    """`assert not t` is a branch in both modes: Dynamo's runtime assert does not reach through `not`."""

    def forward(self, x):
        assert not torch.isnan(x).any()
        return x.sin()


example_args = (torch.randn(3, 2),)
tags = {"python.assert", "torch.dynamic-value"}
model = TensorAssertNot()
