import torch


class InputTransposedInPlace(torch.nn.Module):
    """An input is transposed in place: strict export lets no input of the graph get other sizes or strides."""

    def forward(self, x):
        x.transpose_(0, 1)
        return x * 2


example_args = (torch.randn(3, 2),)
tags = {"torch.mutation"}
model = InputTransposedInPlace()
