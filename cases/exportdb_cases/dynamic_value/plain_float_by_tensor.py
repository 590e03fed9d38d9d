import torch


class PlainFloatByTensor(torch.nn.Module):
    """A learned scale as that of the attention, which must be a plain float."""

    def __init__(self):
        super().__init__()
        self.scale = torch.nn.Parameter(torch.tensor(0.5))

    def forward(self, x):
        return torch.nn.functional.scaled_dot_product_attention(x, x, x, scale=self.scale)


example_args = (torch.randn(1, 3, 2),)
tags = {"torch.dynamic-value"}
model = PlainFloatByTensor()
