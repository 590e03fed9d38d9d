import torch


class AutogradVariableCapturedOk(torch.nn.Module):
    """Within `torch.cond` as well, a tensor needs no `Variable`."""

    def forward(self, x):
        def near(x):
            return x * x.detach()

        return torch.cond(x.norm() < 2, near, lambda x: x.sin(), (x,))


example_args = (torch.randn(3, 2),)
tags = {"python.builtin", "torch.cond"}
model = AutogradVariableCapturedOk()
