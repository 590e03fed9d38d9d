import torch
from torch._higher_order_ops import while_loop


class WhileLoopNonlocalWrite(torch.nn.Module):
    """A `while_loop` whose body counts its rounds in a variable of the enclosing function."""

    def forward(self, x):
        rounds = 0

        def body(y):
            nonlocal rounds
            rounds += 1
            return (y * 0.5,)

        (y,) = while_loop(lambda y: y.abs().max() > 1, body, (x * 8,))
        return y * rounds


example_args = (torch.randn(2, 2),)
tags = {"python.control-flow", "python.closure"}
model = WhileLoopNonlocalWrite()
twin = "tensor_while_ok"
