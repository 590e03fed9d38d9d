import torch


class NestedTensorOk(torch.nn.Module):
    """Sequences that are padded as they are put together."""

    def forward(self, x):
        return torch.nn.utils.rnn.pad_sequence([x[0], x[1]], batch_first=True)


example_args = (torch.randn(3, 2),)
tags = {"torch.dynamic-value"}
model = NestedTensorOk()
