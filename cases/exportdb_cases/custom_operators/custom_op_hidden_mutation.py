import torch


@torch.library.custom_op("exportdb::double_secretly", mutates_args=())
def double_secretly(x: torch.Tensor) -> torch.Tensor:
    x.mul_(2)
    return x.clone()


@double_secretly.register_fake
def _(x):
    return torch.empty_like(x)


class CustomOpHiddenMutation(torch.nn.Module):
    """A custom operator that writes an argument and does not say so."""

    def forward(self, x):
        y = x.clone()
        return double_secretly(y) + y


example_args = (torch.randn(3),)
tags = {"torch.operator", "torch.mutation"}
model = CustomOpHiddenMutation()
twin = "custom_op_mutation_ok"
