"""Sentences of a document, each as the mean of its words, through the same small net."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, words=7, width=3):
        super().__init__()
        self.embed = nn.Embedding(words, width)
        self.mix = nn.Linear(width, width)

    def forward(self, document):
        def each(ids):
            words = self.embed(ids)
            return self.mix(words.mean(0)).tanh()

        sentences = torch._higher_order_ops.map(each, document)
        vectors = sentences
        return vectors, vectors @ vectors.t()


dynamic_shapes = {"document": {0: torch.export.Dim.DYNAMIC}}
example_args = (torch.tensor([[0, 1, 2], [3, 4, 5], [6, 0, 1]]),)
model = Net()
inputs = [(torch.arange(3 * n).view(n, 3) % 7,) for n in (3, 2, 6)]
# mended: EDB303
