import torch


class VarArgsOk(torch.nn.Module):
    """Star arguments are inputs like others."""

    def forward(self, *tensors, **named):
        return sum(tensors) + named["shift"]


example_args = (torch.randn(3), torch.randn(3))
example_kwargs = {"shift": torch.randn(3)}
tags = {"python.data-structure"}
model = VarArgsOk()
