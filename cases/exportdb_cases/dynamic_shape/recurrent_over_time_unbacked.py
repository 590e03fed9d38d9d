import torch
from torch.fx.experimental.dynamic_spec import ParamsSpec, ShapesSpec, ShapeVar, TensorSpec


class RecurrentOverTimeUnbacked(torch.nn.Module):
    """A recurrent layer over an unbacked number of steps."""

    def __init__(self):
        super().__init__()
        self.rnn = torch.nn.GRU(2, 4, batch_first=True)

    def forward(self, x):
        return self.rnn(x)[0]


example_args = (torch.randn(4, 3, 2),)
dynamic_shapes = ShapesSpec(ParamsSpec({"x": TensorSpec([None, ShapeVar("time"), None])}))
tags = {"torch.dynamic-shape", "torch.operator"}
model = RecurrentOverTimeUnbacked()
twin = "recurrent_dynamic_ok"
