import torch


class DtypeIfOk(torch.nn.Module):
    """A branch on dtype, device or `requires_grad` is decided while tracing."""

    def forward(self, x):
        if x.dtype is torch.float32 and not x.is_cuda and not x.requires_grad:
            return x.sin()
        return x.float()


example_args = (torch.randn(3, 2),)
tags = {"python.control-flow"}
model = DtypeIfOk()
