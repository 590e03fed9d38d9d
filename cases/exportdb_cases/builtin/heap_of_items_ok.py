import torch


class HeapOfItemsOk(torch.nn.Module):
    """The largest numbers of a tensor are found by `topk`."""

    def forward(self, x, scores):
        return x + scores.topk(1).values[0]


example_args = (torch.randn(3, 2), torch.tensor([4, 7, 1]))
tags = {"python.builtin", "torch.dynamic-value"}
model = HeapOfItemsOk()
