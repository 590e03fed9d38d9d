import torch


class ExportedModuleTrain(torch.nn.Module):
    """The module of an ExportedProgram refuses `train`: the mode was fixed when the model was exported."""

    def forward(self, x):
        return x.sin()


example_args = (torch.randn(3, 2),)
program = torch.export.export(ExportedModuleTrain(), example_args)
program.module().train()
tags = {"python.object-model"}
model = ExportedModuleTrain()
twin = "exported_program_ok"
