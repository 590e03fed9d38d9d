import torch


class ExportedProgramEval(torch.nn.Module):
    """An ExportedProgram has no `eval`: the mode of a program is that in which the model was exported."""

    def forward(self, x):
        return x.sin()


example_args = (torch.randn(3, 2),)
program = torch.export.export(ExportedProgramEval(), example_args)
program.eval()
tags = {"python.object-model"}
model = ExportedProgramEval()
twin = "exported_program_ok"
