import torch


class RequiresGradAssign(torch.nn.Module):
    """Assigning `requires_grad` of an intermediate."""

    def forward(self, x):
        y = (x * 2).detach()
        y.requires_grad = True
        return y.sin()


example_args = (torch.randn(3, 2),)
tags = {"torch.mutation"}
model = RequiresGradAssign()
twin = "requires_grad_ok"
