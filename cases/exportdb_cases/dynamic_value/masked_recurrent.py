import torch


class MaskedRecurrent(torch.nn.Module):
    """A recurrent layer over the steps that a mask picks asks whether there are any."""

    def __init__(self):
        super().__init__()
        self.layer = torch.nn.GRU(8, 4)

    def forward(self, x):
        return self.layer(x[x[:, 0] > 0])[0]


example_args = (torch.randn(6, 8),)
tags = {"torch.dynamic-value", "torch.operator"}
model = MaskedRecurrent()
twin = "masked_operators_ok"
