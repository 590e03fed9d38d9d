import torch


class ExportForTraining(torch.nn.Module):
    """`torch.export.export_for_training` is what `export` does now."""

    def forward(self, x):
        return x.sin()


example_args = (torch.randn(3, 2),)
captured = torch.export.export_for_training(ExportForTraining(), example_args)
tags = {"torch.operator"}
model = ExportForTraining()
twin = "size_two_ok"
