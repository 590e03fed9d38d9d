import os

import torch


class FileRead(torch.nn.Module):
    """Reading a file in forward."""

    def forward(self, x):
        with open(os.devnull) as file:
            text = file.read()
        return x * (len(text) + 1)


example_args = (torch.randn(3, 2),)
tags = {"python.standard-library", "python.context-manager"}
model = FileRead()
twin = "config_if_ok"
