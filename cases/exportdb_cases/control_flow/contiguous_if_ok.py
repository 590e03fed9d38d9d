import torch


class ContiguousIfOk(torch.nn.Module):
    """A branch on `is_contiguous()` is decided while tracing."""

    def forward(self, x):
        if not x.is_contiguous():
            x = x.contiguous()
        return x.view(-1)


example_args = (torch.randn(3, 2),)
tags = {"python.control-flow"}
model = ContiguousIfOk()
