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
        wav = wav / torch.where(peak > 1.0, peak, 1)
        level = wav.norm()
        wav = torch.where(level < 0.5, wav * 2, torch.where(level < 1.0, wav * 1.5, wav))
        gain = torch.where(self.step < 2, 0.25, torch.where(self.step < 3, 0.5, 1.0))
        return self.conv(wav.unsqueeze(1)) * gain


inputs = [(torch.linspace(-1, 1, 16).view(2, 8) * scale,) for scale in (0.1, 0.2, 1.0, 5.0)]
example_args = inputs[0]
# mended: EDB101
