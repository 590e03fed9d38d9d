"""What is created with the `requires_grad` of another tensor: strict export does not create a tensor that requires grad."""

import torch
from torch import nn


# exportdb: args=(torch.randn(2, 4, 8),)
class OfLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 8)

    def forward(self, x):
        x = self.layer(x)
        batch, steps, _ = x.shape
        return x, torch.ones((batch * steps, 1), dtype=x.dtype, requires_grad=x.requires_grad)  # strict: fails


# exportdb: args=(torch.randn(2, 4, 8),)
class OfInput(nn.Module):
    def forward(self, x):
        return x, torch.ones((8, 1), dtype=x.dtype, requires_grad=x.requires_grad)


# exportdb: args=(torch.randn(2, 4, 8),)
class OfParameter(nn.Module):
    def __init__(self):
        super().__init__()
        self.offset = nn.Parameter(torch.zeros(8))

    def forward(self, x):
        return x + torch.zeros(8, requires_grad=self.offset.requires_grad)  # strict: fails


# exportdb: args=(torch.randn(2, 4, 8),)
class OfEmbedding(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(10, 8)

    def forward(self, x):
        scale = self.table(torch.arange(4)) * 2
        return x + torch.randn(4, 8, requires_grad=scale.requires_grad) * 0  # strict: fails


# exportdb: args=(torch.randn(2, 4, 8),)
class LikeAnother(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.LSTM(8, 8)

    def forward(self, x):
        x, _ = self.layer(x)
        return x + torch.empty_like(x, requires_grad=x.requires_grad) * 0  # strict: fails


def state_for(x, size):
    return torch.zeros(x.shape[0], size, requires_grad=x.requires_grad)  # strict: fails


# exportdb: args=(torch.randn(2, 8),)
class InHelper(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Sequential(nn.Linear(8, 8), nn.ReLU())

    def forward(self, x):
        x = self.layer(x)
        return x + state_for(x, 8)


# exportdb: args=(torch.randn(2, 4, 8),)
class WithoutGradients(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 8)
        self.register_buffer("offset", torch.zeros(8))

    @torch.no_grad()
    def features(self, x):
        return self.layer(x)

    def forward(self, x):
        with torch.no_grad():
            first = self.layer(x)
        second = self.layer(x).detach()
        third = self.layer(x).argmax(-1)
        fourth = self.layer(x) > 0
        fifth = torch.zeros_like(self.layer(x))
        sixth = self.features(x)
        x = x + torch.zeros(8, requires_grad=first.requires_grad)
        x = x + torch.zeros(8, requires_grad=second.requires_grad)
        x = x + torch.zeros(8, requires_grad=third.requires_grad)
        x = x + torch.zeros(8, requires_grad=fourth.requires_grad)
        x = x + torch.zeros(8, requires_grad=fifth.requires_grad)
        x = x + torch.zeros(8, requires_grad=sixth.requires_grad)
        return x + torch.zeros(8, requires_grad=self.offset.requires_grad)


# exportdb: args=(torch.randn(2, 4, 8),)
class OnBranch(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 8)

    def forward(self, x):
        x = self.layer(x)
        if not x.requires_grad:
            return x
        return x * 2
