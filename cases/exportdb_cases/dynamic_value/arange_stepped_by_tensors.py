import torch


class ArangeSteppedByTensors(torch.nn.Module):
    """Tensors as the ends of a stepped range: its length is computed from them, and strict export loses them."""

    def forward(self, x, n):
        return x[0] + torch.arange(n - 1, n + 3, 2)


example_args = (
    torch.randn(4, 2),
    torch.tensor(2),
)
tags = {"torch.dynamic-value"}
model = ArangeSteppedByTensors()
twin = "arange_stepped_ok"
