import torch


class DictInputOk(torch.nn.Module):
    """Dicts are known to pytree."""

    def forward(self, batch):
        return {"sum": batch["x"] + batch["y"]}


example_args = ({"x": torch.randn(3), "y": torch.randn(3)},)
tags = {"python.data-structure"}
model = DictInputOk()
