import torch


class TensorAssertAnd(torch.nn.Module):
    """An assert on two comparisons of tensors: strict export makes a runtime assert of the last one only."""

    def forward(self, x):
        assert x.min() > -100 and x.max() < 100
        return x * 2


example_args = (torch.randn(3, 2),)
tags = {"python.assert", "torch.dynamic-value"}
model = TensorAssertAnd()
twin = "tensor_assert_ok"
