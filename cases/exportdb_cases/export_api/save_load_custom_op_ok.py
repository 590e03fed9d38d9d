import torch


@torch.library.custom_op("exportdb::triple", mutates_args=())
def triple(x: torch.Tensor) -> torch.Tensor:
    return x * 3


@triple.register_fake
def _(x):
    return torch.empty_like(x)


class SaveLoadCustomOpOk(torch.nn.Module):
    """A program with a custom operator is saved by the operator's name."""

    def forward(self, x):
        return triple(x)


example_args = (torch.randn(3),)
after = "save"
tags = {"torch.operator"}
model = SaveLoadCustomOpOk()
