import torch


class ExportedProgramCalled(torch.nn.Module):
    """An ExportedProgram is not callable: its module is."""

    def forward(self, x):
        return x.sin()


example_args = (torch.randn(3, 2),)
program = torch.export.export(ExportedProgramCalled(), example_args)
result = program(*example_args)
tags = {"python.object-model"}
model = ExportedProgramCalled()
twin = "exported_program_ok"
