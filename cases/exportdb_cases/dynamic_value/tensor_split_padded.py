import torch
from torch.nn.utils.rnn import pad_sequence


class TensorSplitPadded(torch.nn.Module):
    """A tensor is cut where another one says, and the pieces are padded to the longest: which one that is, is a branch."""

    def forward(self, flat, lengths):
        pieces = torch.tensor_split(flat, torch.cumsum(lengths, 0)[:-1])
        return pad_sequence(list(pieces), batch_first=True)


example_args = (torch.randn(9), torch.tensor([4, 3, 2]))
tags = {"torch.dynamic-value", "torch.operator"}
model = TensorSplitPadded()
twin = "tensor_split_ok"
