import torch


class DecompositionsCondOk(torch.nn.Module):
    """`torch.cond` stays an operator when a program is decomposed; its branches are decomposed as well."""

    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: torch.nn.functional.softplus(x), lambda x: x.cos(), (x,))


example_args = (torch.randn(3, 2),)
after = "decompose"
tags = {"torch.cond", "torch.operator"}
model = DecompositionsCondOk()
