import os

import torch


class EnvironmentToResult(torch.nn.Module):
    """A number from the environment is a constant of the graph."""

    def forward(self, x):
        scale = float(os.environ.get("EXPORTDB_SCALE", "2"))
        return x * scale


example_args = (torch.randn(3, 2),)
tags = {"python.standard-library"}
model = EnvironmentToResult()
twin = "config_if_ok"
