import torch


class CondCheckInside(torch.nn.Module):
    """A check in one branch that the predicate guarantees is taken for a limit of the whole program."""

    def forward(self, x):
        def long(x):
            torch._check(x.shape[0] > 5)
            return x + 1

        return torch.cond(x.shape[0] > 5, long, lambda x: x + 2, (x,))


example_args = (torch.randn(8, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim("n")}}
tags = {"torch.cond", "torch.dynamic-shape"}
model = CondCheckInside()
twin = "cond_operands"
issues = ("https://github.com/pytorch/pytorch/issues/147991",)
