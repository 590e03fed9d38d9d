import torch


class IndexByTupleOfTensor(torch.nn.Module):
    """The place of the largest element, unravelled, as an index."""

    def forward(self, x):
        place = torch.stack(torch.unravel_index(x.argmax(), x.shape))
        return x[tuple(place)]


example_args = (torch.randn(3, 2),)
tags = {"torch.dynamic-value"}
model = IndexByTupleOfTensor()
