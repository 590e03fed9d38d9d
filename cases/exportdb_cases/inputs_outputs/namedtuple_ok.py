from collections import namedtuple

import torch

Point = namedtuple("Point", ["x", "y"])


class NamedtupleOk(torch.nn.Module):
    """Named tuples are known to pytree."""

    def forward(self, point):
        return Point(point.y, point.x + 1)


example_args = (Point(torch.randn(3), torch.randn(3)),)
tags = {"python.data-structure"}
model = NamedtupleOk()
