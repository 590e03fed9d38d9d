import torch
from torch._higher_order_ops import while_loop


class TensorWhileOk(torch.nn.Module):
    """`while_loop` keeps the loop in the graph: the tensor decides when the program runs."""

    def forward(self, x):
        (result,) = while_loop(lambda x: x.abs().max() > 1.0, lambda x: (x * 0.5,), (x,))
        return result


example_args = (torch.randn(3, 2) * 8,)
tags = {"python.control-flow", "torch.dynamic-value"}
model = TensorWhileOk()
