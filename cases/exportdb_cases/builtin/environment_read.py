import os

import torch


class EnvironmentRead(torch.nn.Module):
    """Reading the environment in forward."""

    def forward(self, x):
        if os.environ.get("EXPORTDB_SCALE"):
            x = x * 2
        return x.sin()


example_args = (torch.randn(3, 2),)
tags = {"python.standard-library"}
model = EnvironmentRead()
twin = "config_if_ok"
