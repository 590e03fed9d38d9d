"""Words that are added to a list once the object is there, and looked up by what a model finds."""

import torch
from torch import nn


class Words:
    def __init__(self):
        self.names = []

    def add(self, name):
        self.names.append(name.encode())

    def name_of(self, index):
        return self.names[index].decode()


class Net(nn.Module):
    def __init__(self, words):
        super().__init__()
        self.words = words

    def forward(self, x):
        return x * len(self.words.name_of(x.argmax()))


words = Words()
words.add("one")
words.add("three")
example_args = (torch.randn(2),)
model = Net(words)
inputs = [(torch.randn(2),)]
# refused: 15 type-unknown
