import torch


class DataNewOk(torch.nn.Module):
    """A mask of ones is made like a tensor; of `.data`, the shape and the dtype are read alone."""

    def forward(self, x):
        mask = x.new_ones(x.data.shape[0], 1, dtype=x.data.dtype)
        return x * mask


example_args = (torch.randn(2, 3),)
tags = {"torch.mutation"}
model = DataNewOk()
