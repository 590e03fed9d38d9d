import torch
from torch._higher_order_ops import while_loop


class WhileLoopMutation(torch.nn.Module):
    """A `while_loop` whose body writes its carried tensor in place."""

    def forward(self, x):
        def body(y):
            y.mul_(0.5)
            return (y.clone(),)

        (y,) = while_loop(lambda y: y.abs().max() > 1, body, (x * 8,))
        return y


example_args = (torch.randn(2, 2),)
tags = {"python.control-flow", "torch.mutation"}
model = WhileLoopMutation()
twin = "tensor_while_ok"
