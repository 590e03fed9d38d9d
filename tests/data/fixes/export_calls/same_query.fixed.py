"""Self-attention is exported with one tensor for query and key."""

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, query, key):
        return torch.softmax(query @ key.transpose(-1, -2), -1) @ key


tokens = torch.linspace(-1, 1, 20).view(1, 4, 5)
model = Net()
example_args = (tokens, tokens.clone())
inputs = [example_args, (tokens, 1 - tokens)]
exported = torch.export.export(Net(), (tokens, tokens.clone()))
# mended: EDB902
