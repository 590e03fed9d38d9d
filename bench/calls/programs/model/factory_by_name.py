import torch
from torch import nn
from torch.export import Dim, export


class Hard(nn.Module):
    def forward(self, x):
        return torch.where(x > 0, x, 0.01 * x)


class Adaptive(nn.Module):
    def forward(self, x):
        scale = float(x.abs().max())
        return x / scale


ACTIVATIONS = {"hard": Hard, "adaptive": Adaptive}


def build_mlp(width, depth, activation="hard"):
    modules = []
    for _ in range(depth):
        modules.append(nn.Linear(width, width))
        modules.append(ACTIVATIONS[activation]())
    return nn.Sequential(*modules)


for activation in ("hard", "adaptive"):
    mlp = build_mlp(4, 2, activation)
    try:
        export(mlp, (torch.randn(3, 4),), dynamic_shapes=({0: Dim("n")},))
        print(activation, "ok")
    except Exception as exc:
        print(activation, "failed with", type(exc).__name__)
