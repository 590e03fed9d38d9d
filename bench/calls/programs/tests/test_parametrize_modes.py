import pytest
import torch
from torch import nn
from torch.export import export


class Bounded(nn.Module):
    def forward(self, x):
        assert x.max() < 1e6
        return x * 2


@pytest.mark.parametrize("strict", [False, True])
def test_modes(strict):
    if not strict:
        with pytest.raises(Exception):
            export(Bounded(), (torch.ones(3),), strict=strict)
    else:
        export(Bounded(), (torch.ones(3),), strict=strict)
