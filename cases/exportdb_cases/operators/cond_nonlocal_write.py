import torch


class CondNonlocalWrite(torch.nn.Module):
    """A branch that assigns a variable of the enclosing function."""

    def forward(self, x):
        shift = x + 100

        def positive(x):
            nonlocal shift
            shift = shift * 2
            return x.sin()

        y = torch.cond(x.sum() > 0, positive, lambda x: x.cos(), (x,))
        return y + shift


example_args = (torch.randn(6),)
tags = {"torch.cond", "python.closure"}
model = CondNonlocalWrite()
twin = "cond_branch_nonlocal_variables"
