import torch


class InputDictCopiedOk(torch.nn.Module):
    """A new dict is made of the one among the inputs, and returned."""

    def forward(self, x, seen):
        return {**seen, "doubled": x * 2}


example_args = (torch.randn(3, 2), {"bias": torch.randn(2)})
tags = {"python.data-structure"}
model = InputDictCopiedOk()
