import pytest
import torch
from torch import nn


class Argmax(nn.Module):
    def forward(self, x):
        return [x, -x][int(x.argmax()) % 2]


class Sort(nn.Module):
    def forward(self, x):
        return x.sort(descending=True).values


CASES = {"relu": nn.ReLU(), "sort": Sort(), "argmax": Argmax()}


@pytest.fixture(params=sorted(CASES))
def module(request):
    return CASES[request.param]


@pytest.fixture(autouse=True)
def seed():
    torch.manual_seed(0)


def test_export(module):
    torch.export.export(module, (torch.randn(4),))
