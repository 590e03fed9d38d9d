import torch


class TensorSplit(torch.nn.Module):
    """A tensor is cut where another one says; the pieces are of data-dependent size."""

    def forward(self, flat, lengths):
        pieces = torch.tensor_split(flat, torch.cumsum(lengths, 0)[:-1])
        return torch.stack([piece.sum() for piece in pieces])


example_args = (torch.randn(9), torch.tensor([4, 3, 2]))
tags = {"torch.dynamic-value", "torch.operator"}
model = TensorSplit()
