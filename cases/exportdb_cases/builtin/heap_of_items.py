import heapq

import torch


class HeapOfItems(torch.nn.Module):
    """`heapq.nlargest` compares numbers read from a tensor."""

    def forward(self, x, scores):
        return x + heapq.nlargest(1, scores.tolist())[0]


example_args = (torch.randn(3, 2), torch.tensor([4, 7, 1]))
tags = {"python.builtin", "torch.dynamic-value"}
model = HeapOfItems()
