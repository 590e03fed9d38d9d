import torch
from torch import nn
from torch.export import Dim, export


class Head(nn.Module):
    def __init__(self, classes, merge):
        super().__init__()
        self.fc = nn.Linear(8, classes)
        self.merge = merge

    def forward(self, x):
        y = self.fc(x)
        return y.view(x.shape[0] // self.merge, self.merge, -1).sum(1)


def to_program(model, batch_size, name):
    batch = Dim(name, min=1, max=128)
    return export(model, (torch.randn(batch_size, 8),), dynamic_shapes=({0: batch},))


first = to_program(Head(3, merge=1), 4, "batch")
print("merge=1", len(first.range_constraints))
second = to_program(Head(3, merge=4), 8, "batch")
print("merge=4", len(second.range_constraints))
