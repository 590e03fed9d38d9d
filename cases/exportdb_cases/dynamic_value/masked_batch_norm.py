import torch


class MaskedBatchNorm(torch.nn.Module):
    """Batch normalisation of the rows that a mask picks asks whether there are any."""

    def __init__(self):
        super().__init__()
        self.norm = torch.nn.BatchNorm1d(8)

    def forward(self, x):
        return self.norm(x[x[:, 0] > 0])


example_args = (torch.randn(6, 8),)
tags = {"torch.dynamic-value", "torch.operator"}
model = MaskedBatchNorm()
twin = "masked_operators_ok"
