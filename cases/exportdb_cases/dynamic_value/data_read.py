import torch


class DataRead(torch.nn.Module):
    """Reading `.data` cuts a tensor out of tracing: non-strict refuses, strict exports a program that cannot run."""

    def forward(self, x):
        return x.data * 2 + x


example_args = (torch.randn(3, 2),)
tags = {"python.object-model", "torch.mutation"}
model = DataRead()
