import torch


class RequiresGradOk(torch.nn.Module):
    """Without `requires_grad_` an intermediate has whatever autograd gives it."""

    def forward(self, x):
        y = (x * 2).detach()
        return y.sin()


example_args = (torch.randn(3, 2),)
tags = {"torch.mutation"}
model = RequiresGradOk()
