import torch


class SliceThenFurther(torch.nn.Module):
    """A window whose corner comes from a tensor is cut out with one subscript."""

    def forward(self, x, corner):
        top, left = corner.tolist()
        return x[top : top + 2, left : left + 2] * 2


example_args = (torch.randn(8, 8), torch.tensor([1, 3]))
tags = {"torch.dynamic-value"}
model = SliceThenFurther()
