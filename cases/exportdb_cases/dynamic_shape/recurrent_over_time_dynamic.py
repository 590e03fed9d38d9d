import torch


class RecurrentOverTimeDynamic(torch.nn.Module):
    """A recurrent layer is traced step by step: the number of steps is fixed, under `Dim.DYNAMIC`."""

    def __init__(self):
        super().__init__()
        self.rnn = torch.nn.GRU(2, 4, batch_first=True)

    def forward(self, x):
        return self.rnn(x)[0]


example_args = (torch.randn(4, 3, 2),)
dynamic_shapes = {"x": {1: torch.export.Dim.DYNAMIC}}
tags = {"torch.dynamic-shape", "torch.operator"}
model = RecurrentOverTimeDynamic()
twin = "recurrent_dynamic_ok"
