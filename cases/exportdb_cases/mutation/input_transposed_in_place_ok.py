import torch


class InputTransposedInPlaceOk(torch.nn.Module):
    """A transposed view of the input, and a tensor of its own that gets another shape in place."""

    def forward(self, x):
        y = x.transpose(0, 1) * 2
        y.unsqueeze_(0)
        return y


example_args = (torch.randn(3, 2),)
tags = {"torch.mutation"}
model = InputTransposedInPlaceOk()
