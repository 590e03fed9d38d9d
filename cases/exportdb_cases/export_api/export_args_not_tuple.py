import torch


class ExportArgsNotTuple(torch.nn.Module):
    """`args` is a tuple of the positional inputs, also where there is only one."""

    def forward(self, x):
        return x.sin()


example_args = (torch.randn(3, 2),)
captured = torch.export.export(ExportArgsNotTuple(), torch.randn(3, 2))
tags = {"python.object-model"}
model = ExportArgsNotTuple()
twin = "exported_program_ok"
