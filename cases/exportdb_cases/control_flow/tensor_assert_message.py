import torch


class TensorAssertMessage(torch.nn.Module):
    """An assert on a tensor with a message that is put together: strict export takes constant messages only."""

    def forward(self, x):
        assert x.abs().max() < 100, f"too large: {x.shape}"
        return x.sin()


example_args = (torch.randn(3, 2),)
tags = {"python.assert", "torch.dynamic-value"}
model = TensorAssertMessage()
twin = "tensor_assert_ok"
