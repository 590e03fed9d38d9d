import torch
from torch._higher_order_ops import while_loop


class WhileLoopOk(torch.nn.Module):
    """A `while_loop` that carries tensors of fixed shape."""

    def forward(self, x):
        i = torch.zeros((), dtype=torch.int64)
        _, y = while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * 2), (i, x))
        return y


example_args = (torch.randn(2, 2),)
tags = {"python.control-flow"}
model = WhileLoopOk()
