"""A choice of a tensor whose number of dimensions a branch before has settled, and one between numbers by a counter."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("step", torch.zeros((), dtype=torch.long))
        self.conv = nn.Conv1d(1, 2, 3, padding=1)

    def forward(self, wav):
        if wav.dim() == 1:
            wav = wav.unsqueeze(0)
        self.step += 1
        # not louder than that
        peak = wav.abs().max()
        if peak > 1.0:
            wav = wav / peak
        level = wav.norm()
        if level < 0.5:
            wav = wav * 2
        elif level < 1.0:
            wav = wav * 1.5
        if self.step < 2:
            gain = 0.25
        elif self.step < 3:
            gain = 0.5
        else:
            gain = 1.0
        return self.conv(wav.unsqueeze(1)) * gain


inputs = [(torch.linspace(-1, 1, 16).view(2, 8) * scale,) for scale in (0.1, 0.2, 1.0, 5.0)]
example_args = inputs[0]
# mended: EDB101
