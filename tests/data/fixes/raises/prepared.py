"""The message of an error is put together on the lines before it is raised."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(16, 4)

    def forward(self, ids, features):
        if ids.max() >= self.embed.num_embeddings:
            error = IndexError("an id that has no embedding")
            raise error  # never for ids of the tokenizer
        mask = ids == 7
        if mask.sum() != features.shape[0]:
            n_tokens = mask.sum()
            n_features = features.shape[0]
            raise ValueError(
                f"Image features and image tokens do not match: tokens: {n_tokens}, "
                f"features {n_features}"
            )
        embeds = self.embed(ids)
        mask = mask.unsqueeze(-1).expand_as(embeds)
        if embeds[mask].numel() != features.numel():
            n_numbers = embeds[mask].numel()
            raise ValueError(f"{n_numbers} numbers for the image")
        return embeds.masked_scatter(mask, features)


features = torch.arange(8.0).view(2, 4)
inputs = [
    (torch.tensor([[7, 7, 2, 3]]), features),
    (torch.tensor([[1, 7, 2, 7]]), features),
    (torch.tensor([[1, 7, 2, 3]]), features),
    (torch.tensor([[1, 7, 7, 16]]), features),
    (torch.tensor([[7, 7, 2, 3]]), torch.ones(2, 3)),
]
# mended: EDB103 EDB104
