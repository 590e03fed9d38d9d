import torch


class PackedLayer(torch.nn.Module):
    """A packed sequence is unpacked in a function of its own."""

    def forward(self, x, lengths):
        packed = torch.nn.utils.rnn.pack_padded_sequence(x, lengths, batch_first=True)
        return torch.nn.utils.rnn.pad_packed_sequence(packed, batch_first=True)[0]


example_args = (torch.randn(2, 3, 2), torch.tensor([3, 2]))
tags = {"torch.dynamic-value"}
model = PackedLayer()
twin = "pack_padded_ok"
