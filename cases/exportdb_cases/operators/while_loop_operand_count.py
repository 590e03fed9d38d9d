import torch
from torch._higher_order_ops import while_loop


class WhileLoopOperandCount(torch.nn.Module):
    """A `while_loop` that carries two tensors, with a body that takes one."""

    def forward(self, x, y):
        return while_loop(lambda a, b: a.abs().max() > 1, lambda a: (a * 0.5,), (x * 8, y))


example_args = (torch.randn(2, 2), torch.randn(2, 2))
tags = {"python.control-flow"}
model = WhileLoopOperandCount()
twin = "tensor_while_ok"
