import torch


class SliceAssignOk(torch.nn.Module):
    """Writing into a slice of a tensor made in forward."""

    def forward(self, x):
        y = torch.zeros(3, 2)
        y[1:] = x[:-1]
        return y + x


example_args = (torch.randn(3, 2),)
tags = {"torch.mutation"}
model = SliceAssignOk()
