import torch


class SliceThenFurtherOk(torch.nn.Module):
    """Each dimension of the window is cut out with a subscript of its own."""

    def forward(self, x, corner):
        top, left = corner.tolist()
        return x[top : top + 2][:, left : left + 2] * 2


example_args = (torch.randn(8, 8), torch.tensor([1, 3]))
tags = {"torch.dynamic-value"}
model = SliceThenFurtherOk()
