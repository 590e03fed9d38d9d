"""A mask of the padding that becomes None where nothing is padded, and is passed to layers."""

import torch
from torch import nn


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.value = nn.Linear(4, 4)

    def forward(self, x, mask=None):
        weights = x @ x.transpose(1, 2)
        if mask is not None:
            weights = weights.masked_fill(mask[:, None, :], float("-inf"))
        return weights.softmax(-1) @ self.value(x), weights


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(Layer() for _ in range(2))
        self.embedding = nn.Embedding(8, 4)

    def forward(self, tokens, pooled=True):
        padding = tokens.eq(0)
        # no padding
        if not padding.any():
            padding = None
        x = self.embedding(tokens)
        if padding is not None:
            x = x * (1 - padding.unsqueeze(-1).type_as(x))
        for layer in self.layers:
            x, weights = layer(x, mask=padding)
        if pooled:
            if padding is not None:
                count = (1 - padding.type_as(x)).sum(1, keepdim=True)
            else:
                count = x.shape[1]
            x = x.sum(1) / count
        return x, weights


inputs = [(torch.tensor([[1, 2, 0], [1, 2, 3]]),), (torch.tensor([[1, 2, 4], [1, 2, 3]]),)]
# mended: EDB101
