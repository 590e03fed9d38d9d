import torch


class CondBranchNonlocalVariables(torch.nn.Module):
    """Values of the enclosing function reach the branches."""

    def forward(self, x):
        shift = x + 100
        factor = 3

        def positive(x):
            return x * factor + shift

        def negative(x):
            return x - factor - shift

        return torch.cond(x.sum() > 0, positive, negative, [x])


example_args = (torch.randn(6),)
tags = {"torch.cond", "python.closure"}
model = CondBranchNonlocalVariables()
exportdb_case = "cond_branch_nonlocal_variables"
