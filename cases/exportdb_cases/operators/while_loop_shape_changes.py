import torch
from torch._higher_order_ops import while_loop


class WhileLoopShapeChanges(torch.nn.Module):
    """A `while_loop` whose carried tensor grows."""

    def forward(self, x):
        (y,) = while_loop(lambda y: y.shape[0] < 8, lambda y: (torch.cat([y, y]),), (x,))
        return y


example_args = (torch.randn(2, 2),)
tags = {"python.control-flow", "torch.dynamic-shape"}
model = WhileLoopShapeChanges()
twin = "while_loop_ok"
