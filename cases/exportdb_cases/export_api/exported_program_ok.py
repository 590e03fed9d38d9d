import torch


class ExportedProgramOk(torch.nn.Module):
    """`args` is a tuple; the exported program runs through its module."""

    def forward(self, x):
        return x.sin()


example_args = (torch.randn(3, 2),)
program = torch.export.export(ExportedProgramOk(), example_args)
result = program.module()(*example_args)
tags = {"python.object-model"}
model = ExportedProgramOk()
