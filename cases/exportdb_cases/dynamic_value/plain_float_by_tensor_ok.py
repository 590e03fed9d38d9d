import torch


class PlainFloatByTensorOk(torch.nn.Module):
    """A learned scale multiplies the queries, and the attention has the plain scale 1."""

    def __init__(self):
        super().__init__()
        self.scale = torch.nn.Parameter(torch.tensor(0.5))

    def forward(self, x):
        return torch.nn.functional.scaled_dot_product_attention(x * self.scale, x, x, scale=1.0)


example_args = (torch.randn(1, 3, 2),)
tags = {"torch.dynamic-value"}
model = PlainFloatByTensorOk()
