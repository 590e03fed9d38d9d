"""A teacher that follows a student, as it was written before torch 0.4."""

import torch
from torch import nn
from torch.autograd import Variable


def follow(mean, new, decay):
    mean.data.mul_(decay).add_(new, alpha=1 - decay)  # moving average


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.student = nn.Linear(3, 3)
        self.teacher = nn.Linear(3, 3)
        self.register_buffer("mean", torch.zeros(3))
        self.register_buffer("seen", torch.zeros(1))
        for parameter in self.teacher.parameters():
            parameter.requires_grad_(False)

    @torch.no_grad()
    def update(self):
        for old, new in zip(self.teacher.parameters(), self.student.parameters()):
            # No gradient flows here.
            old.data = old.data * 0.9 + new.data * 0.1

    def forward(self, x):
        self.update()
        follow(self.mean, x.mean(0), 0.9)
        self.seen.data.copy_(x.sum())
        self.seen.data += 1
        # Another block.
        first = Variable(x.data.new(x.shape[0], 3).fill_(0.5))
        steps = Variable(torch.arange(3).view(1, 3).expand(2, 3).float())
        target = torch.ones(2, 3).type_as(x.data) + torch.zeros_like(x.data)
        return self.student(x) - self.teacher(x) + first * steps + target * self.mean + self.seen


inputs = [(torch.ones(2, 3) * s,) for s in (0.25, -1.5, 2)]
# mended: EDB201 EDB503
