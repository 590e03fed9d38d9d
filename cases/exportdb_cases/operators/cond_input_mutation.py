import torch


class CondInputMutation(torch.nn.Module):
    """A branch that writes its operand in place."""

    def forward(self, x):
        def double(x):
            x.mul_(2)
            return x.sin()

        return torch.cond(x.sum() > 0, double, lambda x: x.cos(), (x,))


example_args = (torch.randn(3, 2),)
tags = {"torch.cond", "torch.mutation"}
model = CondInputMutation()
twin = "cond_alias_ok"
issues = ("https://github.com/pytorch/pytorch/pull/186462",)
