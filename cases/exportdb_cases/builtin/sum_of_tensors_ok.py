import torch


class SumOfTensorsOk(torch.nn.Module):
    """The builtin `sum` over tensors adds them in the graph."""

    def forward(self, x):
        return sum([x.sin(), x.cos()])


example_args = (torch.randn(3, 2),)
tags = {"python.builtin"}
model = SumOfTensorsOk()
