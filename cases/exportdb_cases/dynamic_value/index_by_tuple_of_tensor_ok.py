import torch


class IndexByTupleOfTensorOk(torch.nn.Module):
    """The places of the largest elements, unravelled, as tensors of one dimension."""

    def forward(self, x):
        rows, columns = torch.unravel_index(x.flatten().topk(2).indices, x.shape)
        return x[rows, columns]


example_args = (torch.randn(3, 2),)
tags = {"torch.dynamic-value"}
model = IndexByTupleOfTensorOk()
