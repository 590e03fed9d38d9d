import torch


class CondBranchRaises(torch.nn.Module):
    """A branch that always raises has no result to compare with the other's."""

    def forward(self, x):
        def refuse(x):
            raise ValueError("x is too large")

        return torch.cond(x.sum() > 100, refuse, lambda x: x.cos(), (x,))


example_args = (torch.randn(3, 2),)
tags = {"torch.cond", "python.control-flow"}
model = CondBranchRaises()
twin = "tensor_raise_ok"
