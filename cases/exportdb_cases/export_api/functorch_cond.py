import torch


class FunctorchCond(torch.nn.Module):
    """`cond` from functorch.experimental.control_flow, its home before torch 2.2."""

    def forward(self, x):
        from functorch.experimental.control_flow import cond

        return cond(x.sum() > 0, lambda x: x.sin(), lambda x: x.cos(), (x,))


example_args = (torch.randn(3, 2),)
tags = {"torch.cond"}
model = FunctorchCond()
twin = "tensor_if_ok"
