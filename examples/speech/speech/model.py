"""The whole model: encode, route, and look back at what was heard before."""

from torch import nn

from speech.cache import StreamingCache
from speech.encoder import Encoder
from speech.router import Router


class Recogniser(nn.Module):
    def __init__(self, features, width, experts, capacity):
        super().__init__()
        self.encoder = Encoder(features, width)
        self.router = Router(width, experts, most=capacity)
        self.cache = StreamingCache(width, capacity)

    def forward(self, frames, lengths):
        spoken = self.encoder(frames, lengths)
        return self.cache(self.router(spoken))
