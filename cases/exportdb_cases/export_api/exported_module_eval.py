import torch


class ExportedModuleEval(torch.nn.Module):
    """The module of an ExportedProgram refuses `eval`: the mode was fixed when the model was exported."""

    def forward(self, x):
        return x.sin()


example_args = (torch.randn(3, 2),)
program = torch.export.export(ExportedModuleEval(), example_args)
program.module().eval()
tags = {"python.object-model"}
model = ExportedModuleEval()
twin = "exported_program_ok"
