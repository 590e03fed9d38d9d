import torch


class PackAlone(torch.nn.Module):
    """A sequence is packed, and what it holds is used by itself."""

    def forward(self, x, lengths):
        packed = torch.nn.utils.rnn.pack_padded_sequence(x, lengths, batch_first=True)
        return packed.data.mean(0)


example_args = (torch.randn(2, 3, 2), torch.tensor([3, 2]))
tags = {"torch.dynamic-value"}
model = PackAlone()
twin = "pack_padded_ok"
