import torch


class RequiresGradIntermediateCaptured(torch.nn.Module):
    """Within `torch.cond`, `requires_grad_` on an intermediate is traced."""

    def forward(self, x):
        def near(x):
            y = (x * 2).detach()
            y.requires_grad_()
            return y.sin()

        return torch.cond(x.norm() < 2, near, lambda x: x.sin(), (x,))


example_args = (torch.randn(3, 2),)
tags = {"torch.mutation", "torch.cond"}
model = RequiresGradIntermediateCaptured()
