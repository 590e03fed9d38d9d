import torch


class TensorAssert(torch.nn.Module):
    """An assert on a tensor reads its value: non-strict cannot, strict turns it into a runtime assert."""

    def forward(self, x):
        assert x.abs().max() < 100
        return x.sin()


example_args = (torch.randn(3, 2),)
tags = {"python.assert", "torch.dynamic-value"}
model = TensorAssert()
