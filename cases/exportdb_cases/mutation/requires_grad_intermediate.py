import torch


class RequiresGradIntermediate(torch.nn.Module):
    """`requires_grad_` on an intermediate changes how it is traced."""

    def forward(self, x):
        y = (x * 2).detach()
        y.requires_grad_()
        return y.sin()


example_args = (torch.randn(3, 2),)
tags = {"torch.mutation"}
model = RequiresGradIntermediate()
twin = "requires_grad_ok"
issues = ("https://github.com/pytorch/pytorch/issues/146719",)
