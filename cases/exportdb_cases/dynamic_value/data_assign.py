import torch


class DataAssign(torch.nn.Module):
    """Assigning to `.data` replaces the storage behind tracing's back."""

    def forward(self, x):
        y = x.clone()
        y.data = x * 2
        return y + 1


example_args = (torch.randn(3, 2),)
tags = {"torch.mutation"}
model = DataAssign()
