import torch


class CondBranchNestedFunction(torch.nn.Module):
    """Branches of `torch.cond` may call nested functions."""

    def forward(self, x):
        def positive(x):
            def inner(y):
                return x + y

            return inner(x)

        def negative(x):
            def inner(y):
                return x - y

            return inner(x * 2)

        return torch.cond(x.sum() < 10, positive, negative, [x])


example_args = (torch.randn(3),)
tags = {"torch.cond", "python.closure"}
model = CondBranchNestedFunction()
exportdb_case = "cond_branch_nested_function"
