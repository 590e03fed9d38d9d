"""Code that was written before tensors and variables became one."""

import torch
from torch import nn
from torch.autograd import Variable


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return 2 * x * grad


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(2, 2))
        self.register_buffer("mask", torch.eye(2))

    def forward(self, x):
        hidden = torch.zeros(x.shape[0], 2)
        keep = x.new(x.shape[0], 2).fill_(1) / (1 - 0.5)
        hidden = hidden + x.detach() * keep
        return Square.apply(x @ (self.weight * self.mask.detach())) + hidden


inputs = [(torch.arange(6.0).reshape(3, 2),), (torch.ones(3, 2),)]
# mended: EDB503
