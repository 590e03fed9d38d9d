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

        def true_branch(hidden, rows, columns, image):
            # One feature for each of them.
            hidden = hidden.index_put((rows, columns), self.project(image), accumulate=False)
            return hidden

        def false_branch(hidden, rows, columns, image):
            return hidden.clone()

        hidden = torch.cond(
            positions.shape[0] > 0,
            true_branch,
            false_branch,
            (hidden, rows, columns.clone(), image),
        )

        def true_branch_2(columns, hidden, rows):
            hidden = hidden.index_put((rows, columns), hidden.mean(dim=1), accumulate=True)
            return hidden

        def false_branch_2(columns, hidden, rows):
            return hidden.clone()

        hidden = torch.cond(
            columns.shape[0] > 1,
            true_branch_2,
            false_branch_2,
            (columns, hidden, rows.clone()),
        )
        return hidden


image = torch.linspace(-1, 1, 6).view(2, 3)
inputs = [
    (torch.tensor([[-1, 4, -2, 5]]), image),
    (torch.tensor([[3, 4, 6, 5]]), image),
    (torch.tensor([[3, -1, 6, -1]]), image),
]
# mended: EDB103
