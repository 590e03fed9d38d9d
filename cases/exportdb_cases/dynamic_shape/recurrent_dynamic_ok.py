import torch


class RecurrentDynamicOk(torch.nn.Module):
    """A recurrent layer over a dynamic batch."""

    def __init__(self):
        super().__init__()
        self.rnn = torch.nn.GRU(2, 4, batch_first=True)

    def forward(self, x):
        return self.rnn(x)[1]


example_args = (torch.randn(4, 3, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape"}
model = RecurrentDynamicOk()
