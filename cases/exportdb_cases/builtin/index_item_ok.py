import torch


class IndexItemOk(torch.nn.Module):
    """The bound is part of the computation: nothing is left to a handler."""

    def forward(self, x, i):
        inside = i < x.shape[0]
        picked = x.index_select(0, torch.where(inside, i, 0).reshape(1)).squeeze(0)
        return torch.where(inside, picked * 1.0, x[0] * 2.0)


example_args = (torch.randn(4), torch.tensor(2))
extra_inputs = [(torch.randn(4), torch.tensor(9))]
tags = {"torch.dynamic-value"}
model = IndexItemOk()
