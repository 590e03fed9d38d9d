import torch


class RequiresGradInput(torch.nn.Module):
    """`requires_grad_` on an input."""

    def forward(self, x):
        x.requires_grad_()
        return x.sin()


example_args = (torch.randn(3, 2),)
tags = {"torch.mutation"}
model = RequiresGradInput()
twin = "requires_grad_ok"
