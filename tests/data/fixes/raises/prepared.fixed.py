"""The message of an error is put together on the lines before it is raised."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(16, 4)

    def forward(self, ids, features):
        torch._assert_async(~(ids.max() >= self.embed.num_embeddings), "an id that has no embedding")  # never for ids of the tokenizer
        mask = ids == 7
        torch._assert_async(
            mask.sum() == features.shape[0],
            "Image features and image tokens do not match: tokens: mask.sum(), " f"features {features.shape[0]}",
        )
        embeds = self.embed(ids)
        mask = mask.unsqueeze(-1).expand_as(embeds)
        torch._assert_scalar(embeds[mask].numel() == features.numel(), "embeds[mask].numel() numbers for the image")
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
