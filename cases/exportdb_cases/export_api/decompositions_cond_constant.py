import torch


class DecompositionsCondConstant(torch.nn.Module):
    """A tensor that is made in a branch of `torch.cond` from a Python number, and then decomposed."""

    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: x + torch.tensor(1.0), lambda x: x.cos(), (x,))


example_args = (torch.randn(3, 2),)
after = "decompose"
tags = {"torch.cond", "torch.operator"}
model = DecompositionsCondConstant()
twin = "decompositions_cond_ok"
issues = ("https://github.com/pytorch/pytorch/issues/180354",)
