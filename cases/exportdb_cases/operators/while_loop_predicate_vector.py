import torch
from torch._higher_order_ops import while_loop


class WhileLoopPredicateVector(torch.nn.Module):
    """A `while_loop` whose condition compares element by element."""

    def forward(self, x):
        (y,) = while_loop(lambda y: y.abs() > 1, lambda y: (y * 0.5,), (x * 8,))
        return y


example_args = (torch.randn(2, 2),)
tags = {"python.control-flow"}
model = WhileLoopPredicateVector()
twin = "tensor_while_ok"
