import torch


@torch.library.custom_op("exportdb::fill_secretly", mutates_args=())
def fill_secretly(x: torch.Tensor) -> torch.Tensor:
    x.fill_(7)
    return x.clone()


@fill_secretly.register_fake
def _(x):
    return torch.empty_like(x)


class DecompositionsHiddenMutation(torch.nn.Module):
    """Decomposing trusts what an operator says: a write that it hides is lost or moved."""

    def forward(self, x):
        y = x * 1
        z = fill_secretly(y)
        return z + y + (x * 1)


example_args = (torch.randn(3),)
after = "decompose"
tags = {"torch.operator", "torch.mutation"}
model = DecompositionsHiddenMutation()
twin = "custom_op_mutation_ok"
