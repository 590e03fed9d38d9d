import pytest
import torch
from torch import nn
from torch.export import Dim, export


class Vocoder(nn.Module):
    def __init__(self, hop):
        super().__init__()
        self.hop = hop
        self.conv = nn.ConvTranspose1d(4, 1, 2 * hop, stride=hop)

    def forward(self, mel):
        audio = self.conv(mel)
        return audio.reshape(mel.shape[0], -1, self.hop)


@pytest.fixture
def mel():
    return torch.randn(2, 4, 9)


@pytest.fixture
def model():
    vocoder = Vocoder(hop=5)
    vocoder.eval()
    return vocoder


def test_static(model, mel):
    assert export(model, (mel,))


def test_dynamic_batch(model, mel):
    assert export(model, (mel,), dynamic_shapes={"mel": {0: Dim("batch")}})


def test_even_length(model, mel):
    model.hop = 2
    with pytest.raises(Exception):
        export(model, (mel,), dynamic_shapes={"mel": {2: Dim("frames", min=4, max=100)}})
