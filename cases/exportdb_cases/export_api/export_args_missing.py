import torch


class ExportArgsMissing(torch.nn.Module):
    """The inputs of an export are bound to the parameters of `forward`, as those of a call are."""

    def forward(self, x):
        return x.sin()


example_args = (torch.randn(3, 2),)
captured = torch.export.export(ExportArgsMissing(), (torch.randn(3, 2), torch.randn(3, 2)))
tags = {"python.object-model"}
model = ExportArgsMissing()
twin = "exported_program_ok"
