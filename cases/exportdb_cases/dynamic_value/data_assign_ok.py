import torch


class DataAssignOk(torch.nn.Module):
    """`copy_` writes into the tensor with an operator of the graph."""

    def forward(self, x):
        y = x.clone()
        y.detach().copy_(x * 2)
        return y + 1


example_args = (torch.randn(3, 2),)
tags = {"torch.mutation"}
model = DataAssignOk()
