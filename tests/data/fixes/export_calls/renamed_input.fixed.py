"""An input was renamed, another was added, and a third is gone: the declaration still speaks of the old ones."""

import torch
from torch import nn
from torch.export import Dim


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(10, 4)

    def forward(self, input_ids, scale):
        return self.embedding(input_ids) * scale


def example(rows):
    return torch.arange(rows * 3).view(rows, 3) % 10, torch.tensor(0.5)


class Pooled(Net):
    def forward(self, tokens, weights, *, normalized=True):
        found = self.embedding(tokens) * weights[..., None]
        return found.mean(1) if normalized else found.sum(1)


rows = Dim("rows")
dynamic_shapes = {
    "input_ids": {0: rows},  # was input_ids before
    "scale": None,
}
model = Net()
example_args = example(4)
inputs = [example(4), example(7), example(2)]
tokens, weights = torch.arange(8).view(2, 4), torch.ones(2, 4)
torch.manual_seed(0)
pooled = torch.export.export(Pooled(), (tokens, weights), dynamic_shapes={"tokens": {0: rows}, "weights": {0: rows}})
missing = torch.export.export(Pooled(), (tokens, weights), dynamic_shapes={"tokens": {1: Dim.AUTO}, "weights": None})
# mended: EDB902
