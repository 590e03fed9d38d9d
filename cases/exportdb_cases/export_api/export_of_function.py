import torch


def double(x):
    return x * 2


class ExportOfFunction(torch.nn.Module):
    """`torch.export.export` of a plain function: a module is wanted."""

    def forward(self, x):
        return double(x)


example_args = (torch.randn(3, 2),)
captured = torch.export.export(double, example_args)
tags = {"python.object-model"}
model = ExportOfFunction()
twin = "size_two_ok"
