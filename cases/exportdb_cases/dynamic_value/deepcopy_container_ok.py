import torch


class DeepcopyContainerOk(torch.nn.Module):
    """Each tensor of a container is cloned."""

    def forward(self, x):
        state = {name: t.clone() for name, t in {"x": x}.items()}
        return state["x"] + 1


example_args = (torch.randn(3, 2),)
tags = {"python.builtin", "torch.dynamic-value"}
model = DeepcopyContainerOk()
