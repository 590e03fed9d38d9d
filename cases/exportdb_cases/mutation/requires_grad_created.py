import torch


class RequiresGradCreated(torch.nn.Module):
    """A tensor that requires grad is created while tracing."""

    def forward(self, x):
        scale = torch.ones(2, requires_grad=True)
        return x * scale


example_args = (torch.randn(3, 2),)
tags = {"torch.mutation"}
model = RequiresGradCreated()
