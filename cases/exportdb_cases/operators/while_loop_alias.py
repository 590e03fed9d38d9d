import torch
from torch._higher_order_ops import while_loop


class WhileLoopAlias(torch.nn.Module):
    """A `while_loop` whose body hands on a tensor that it was given and does not change."""

    def forward(self, x, step):
        def body(y, step):
            return y - step, step

        y, _ = while_loop(lambda y, step: y.sum() > 1, body, (x * 8, step))
        return y


example_args = (torch.rand(2, 2), torch.ones(2, 2))
tags = {"python.control-flow", "torch.operator"}
model = WhileLoopAlias()
twin = "while_loop_ok"
