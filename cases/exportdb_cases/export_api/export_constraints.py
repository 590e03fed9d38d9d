import torch


class ExportConstraints(torch.nn.Module):
    """The argument `constraints=` of export was replaced by `dynamic_shapes=`."""

    def forward(self, x):
        return x.sin()


example_args = (torch.randn(3, 2),)
captured = torch.export.export(ExportConstraints(), example_args, constraints=[])
tags = {"torch.dynamic-shape"}
model = ExportConstraints()
twin = "size_two_ok"
