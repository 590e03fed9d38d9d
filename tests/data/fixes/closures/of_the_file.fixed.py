"""Branches of the file, given a number that one of them scales by."""

import torch
from torch import nn


def loud(x, gain, bias):
    # what is loud is made less so
    y = x * gain
    return y.tanh() + bias


def quiet(x, gain, bias):
    return x


class Net(nn.Module):
    def __init__(self, gain=0.5):
        super().__init__()
        self.gain = gain
        self.bias = nn.Parameter(torch.zeros(4))

    def forward(self, x):
        y = torch.cond(
            x.abs().mean() > 1,
            lambda x, operand_2: loud(x, self.gain, operand_2).clone(),
            lambda x, operand_2: quiet(x, self.gain, operand_2).clone(),
            (x, self.bias),
        )
        return y + quiet(x, 0, None)


inputs = [(torch.ones(3, 4) * 0.5,), (torch.ones(3, 4) * 2,)]
# mended: EDB601 EDB602
