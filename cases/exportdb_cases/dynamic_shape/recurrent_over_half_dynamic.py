import torch


class RecurrentOverHalfDynamic(torch.nn.Module):
    """A recurrent layer over half as many steps under `Dim.DYNAMIC`: the program holds for the sizes that have this half."""

    def __init__(self):
        super().__init__()
        self.rnn = torch.nn.GRU(2, 4)

    def forward(self, x):
        return self.rnn(x[: x.shape[0] // 2])[0]


example_args = (torch.randn(6, 3, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.DYNAMIC}}
tags = {"torch.dynamic-shape", "torch.operator"}
model = RecurrentOverHalfDynamic()
twin = "recurrent_dynamic_ok"
