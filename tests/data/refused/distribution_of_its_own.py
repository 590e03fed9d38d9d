"""A state that begins anew where a flag says so, as a distribution of the project's own class draws it."""

import torch
from torch import distributions, nn


class OneHot(distributions.OneHotCategorical):
    def mode(self):
        return super().sample() * 2


class Net(nn.Module):
    def begin(self, x):
        return OneHot(logits=torch.zeros_like(x)).mode()

    def forward(self, x, first):
        y = x * 2
        if first.sum() > 0:
            y = y - self.begin(x)
        return y


example_args = (torch.randn(2, 4), torch.ones(2))
model = Net()
inputs = [(torch.randn(2, 4), torch.zeros(2))]
# refused: 14 unknown-form, 18 untraceable
