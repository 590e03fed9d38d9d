import torch


class TensorAsSize(torch.nn.Module):
    """A tensor itself as the size of a new tensor."""

    def forward(self, x, n):
        return torch.zeros(n, 2).sum() + x


example_args = (torch.randn(3, 2), torch.tensor(4))
tags = {"torch.dynamic-value"}
model = TensorAsSize()
twin = "zeros_item_ok"
