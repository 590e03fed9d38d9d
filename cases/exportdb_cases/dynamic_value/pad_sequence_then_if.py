import torch
from torch.nn.utils.rnn import pad_sequence


class PadSequenceThenIf(torch.nn.Module):
    """The padded length depends on data as much as the lengths do."""

    def forward(self, x, y):
        padded = pad_sequence([x[x > 0], y[y > 0]], batch_first=True)
        if padded.shape[1] > 4:
            return padded.sum(1)
        return padded.mean(1)


example_args = (torch.randn(6), torch.randn(6))
tags = {"torch.dynamic-value", "python.control-flow"}
model = PadSequenceThenIf()
twin = "pad_sequence_masked_ok"
