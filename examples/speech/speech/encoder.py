"""Frames of several utterances, padded to one length -> one vector for each utterance."""

import torch
from torch import nn


# exportdb: args=(torch.randn(3, 5, 16), torch.tensor([5, 2, 4])) constructor=LengthPooling(16)
class LengthPooling(nn.Module):
    """The mean over the frames that are not padding."""

    def __init__(self, width):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(width))

    def forward(self, frames, lengths):
        assert (lengths > 0).all(), "an utterance has no frames"
        steps = torch.arange(frames.shape[1], device=frames.device)
        padding = steps >= lengths.unsqueeze(1)
        if padding.any():  # often nothing is: then there is nothing to clear
            frames = frames.masked_fill(padding.unsqueeze(2), 0.0)
        pooled = frames.sum(dim=1) / lengths.unsqueeze(1)
        return pooled * self.scale


# exportdb: args=(torch.randn(3, 5, 8), torch.tensor([5, 2, 4])) constructor=Encoder(8, 16)
class Encoder(nn.Module):
    def __init__(self, features, width):
        super().__init__()
        self.project = nn.Linear(features, width)
        self.convolve = nn.Conv1d(width, width, kernel_size=3, padding=1)
        self.pool = LengthPooling(width)

    def forward(self, frames, lengths):
        hidden = torch.relu(self.project(frames))
        hidden = hidden + self.convolve(hidden.transpose(1, 2)).transpose(1, 2)
        return self.pool(hidden, lengths)
