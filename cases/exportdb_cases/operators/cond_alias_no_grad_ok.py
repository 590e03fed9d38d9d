import torch


class CondAliasNoGradOk(torch.nn.Module):
    """With gradients switched off, a branch may return its operand."""

    @torch.no_grad()
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: x, lambda x: x.sin(), (x,))


example_args = (torch.randn(3, 2),)
tags = {"torch.cond"}
model = CondAliasNoGradOk()
