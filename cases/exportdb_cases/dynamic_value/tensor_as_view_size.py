import torch


class TensorAsViewSize(torch.nn.Module):
    """A tensor itself as a size in a view."""

    def forward(self, x):
        width = torch.div(torch.tensor(x.shape[0]), 2, rounding_mode="floor")
        return x.view(2, width)


example_args = (torch.randn(8),)
tags = {"torch.dynamic-value"}
model = TensorAsViewSize()
twin = "tensor_as_view_size_ok"
