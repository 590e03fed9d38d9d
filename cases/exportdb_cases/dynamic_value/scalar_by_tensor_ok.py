import torch


class ScalarByTensorOk(torch.nn.Module):
    """Tensors as both bounds of a clamp are operands."""

    def forward(self, x, low):
        return torch.clamp(x, low, torch.ones_like(low))


example_args = (
    torch.randn(3, 2),
    torch.tensor(0.0),
)
tags = {"torch.dynamic-value"}
model = ScalarByTensorOk()
