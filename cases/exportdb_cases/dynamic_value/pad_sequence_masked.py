import torch
from torch.nn.utils.rnn import pad_sequence


class PadSequenceMasked(torch.nn.Module):
    """Sequences whose lengths depend on data are padded to the longest: which one that is, is a branch."""

    def forward(self, x, y):
        return pad_sequence([x[x > 0], y[y > 0]])


example_args = (torch.randn(6), torch.randn(6))
tags = {"torch.dynamic-value", "torch.operator"}
model = PadSequenceMasked()
