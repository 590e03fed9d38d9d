import copy

import torch


class DeepcopyContainer(torch.nn.Module):
    """`copy.deepcopy` of a container copies the tensors in it."""

    def forward(self, x):
        state = copy.deepcopy({"x": x})
        return state["x"] + 1


example_args = (torch.randn(3, 2),)
tags = {"python.builtin", "torch.dynamic-value"}
model = DeepcopyContainer()
