import torch
from torch._higher_order_ops import while_loop


class WhileLoopInt(torch.nn.Module):
    """A `while_loop` that carries a Python int."""

    def forward(self, x):
        _, y = while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * 2), (0, x))
        return y


example_args = (torch.randn(2, 2),)
tags = {"python.control-flow"}
model = WhileLoopInt()
twin = "while_loop_ok"
