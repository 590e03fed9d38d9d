import torch


class SetOutput(torch.nn.Module):
    """A set of tensors as an output is unknown to pytree."""

    def forward(self, x):
        return {x.sin(), x.cos()}


example_args = (torch.randn(3),)
tags = {"python.data-structure"}
model = SetOutput()
twin = "list_append_ok"
