"""A teacher that is copied from the student on each call, so that no gradient reaches the student through it."""

import copy

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.student = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2))
        self.head = nn.Linear(2, 1)

    def forward(self, x):
        teacher = copy.deepcopy(self.student)
        with torch.no_grad():
            target = teacher(x * 0.5)  # another view of the input
        return (self.student(x) - target).square().mean(), copy.deepcopy(self.head)(target)


inputs = [(torch.linspace(-1, 1, 6).view(2, 3),), (torch.linspace(2, -1, 6).view(2, 3),)]
# refused: 16 needs-author, 19 needs-author
