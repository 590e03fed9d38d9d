import torch


class PackPadded(torch.nn.Module):
    """A packed sequence reads the lengths."""

    def __init__(self):
        super().__init__()
        self.rnn = torch.nn.GRU(2, 4, batch_first=True)

    def forward(self, x, lengths):
        packed = torch.nn.utils.rnn.pack_padded_sequence(x, lengths, batch_first=True)
        return self.rnn(packed)[1]


example_args = (torch.randn(2, 3, 2), torch.tensor([3, 2]))
tags = {"torch.dynamic-value"}
model = PackPadded()
issues = ("https://github.com/pytorch/pytorch/issues/171978",)
