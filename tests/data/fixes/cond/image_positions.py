"""Image features are written to the places of the image tokens, if the text has any."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(16, 4)
        self.project = nn.Linear(3, 4)

    def forward(self, ids, image):
        rows, columns = torch.nonzero(ids < 0, as_tuple=True)
        positions = torch.nonzero(ids < 0)
        hidden = self.words(ids.clamp_min(0))
        if len(positions.tolist()) > 0:
            # One feature for each of them.
            hidden = hidden.index_put((rows, columns), self.project(image), accumulate=False)
        if len(columns.tolist()) > 1:
            hidden = hidden.index_put((rows, columns), hidden.mean(dim=1), accumulate=True)
        return hidden


image = torch.linspace(-1, 1, 6).view(2, 3)
inputs = [
    (torch.tensor([[-1, 4, -2, 5]]), image),
    (torch.tensor([[3, 4, 6, 5]]), image),
    (torch.tensor([[3, -1, 6, -1]]), image),
]
# mended: EDB103
