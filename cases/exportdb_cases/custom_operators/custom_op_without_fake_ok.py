import torch


@torch.library.custom_op("exportdb::double_fake", mutates_args=())
def double_fake(x: torch.Tensor) -> torch.Tensor:
    return x * 2


@double_fake.register_fake
def _(x):
    return torch.empty_like(x)


class CustomOpWithoutFakeOk(torch.nn.Module):
    """`register_fake` tells the shape of the result."""

    def forward(self, x):
        return double_fake(x) + 1


example_args = (torch.randn(3),)
tags = {"torch.operator"}
model = CustomOpWithoutFakeOk()
