"""How likely each row finds its own label, and what that label is worth."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, classes=4):
        super().__init__()
        self.head = nn.Linear(3, classes)
        self.register_buffer("worth", torch.tensor([2.0, 0.5, 3.0, 1.0]))

    def forward(self, x, labels):
        def each(rows_2):
            row, label = rows_2
            scores = self.head(row).log_softmax(0)
            return scores[label.reshape(1)].squeeze(0) * self.worth[label.reshape(1)].squeeze(0)

        found = torch._higher_order_ops.map(each, (x, labels))
        return found


rows = torch.export.Dim("rows", min=2, max=64)
dynamic_shapes = {"x": {0: rows}, "labels": {0: rows}}
example_args = (torch.ones(5, 3), torch.tensor([0, 1, 2, 3, 0]))
model = Net()
inputs = [(torch.linspace(-2, 2, 3 * n).view(n, 3).sin(), torch.arange(n) % 4) for n in (5, 2, 9)]
# mended: EDB303
