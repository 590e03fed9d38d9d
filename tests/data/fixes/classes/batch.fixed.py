"""A batch that comes in as a dataclass, some of it unused."""

import torch
from dataclasses import dataclass
from torch import nn


@dataclass
class Batch:
    ids: torch.Tensor
    mask: torch.Tensor
    weight: torch.Tensor


torch.export.register_dataclass(Batch, serialized_type_name="program.Batch")



class Net(nn.Module):
    def __init__(self, words=6, width=3):
        super().__init__()
        self.embed = nn.Embedding(words, width)

    def forward(self, batch: Batch):
        x = self.embed(batch.ids) * batch.mask[..., None]
        # The mean of what counts.
        return x.sum(1) / batch.mask.sum(1, keepdim=True).clamp(min=1)


ids = torch.tensor([[1, 2, 0], [5, 0, 0]])
inputs = [(Batch(ids, ids.ne(0).float(), torch.ones(2)),), (Batch(ids + 0, torch.zeros(2, 3), torch.ones(2)),)]
# mended: EDB701
