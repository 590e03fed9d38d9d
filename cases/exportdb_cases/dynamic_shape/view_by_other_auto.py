import torch


class ViewByOtherAuto(torch.nn.Module):
    """A view by a size of another input, under `Dim.AUTO`: the exported program takes equal sizes alone, which eager does not."""

    def forward(self, x, context):
        return context.view(x.shape[0], -1, 4).sum(2)


example_args = (torch.randn(3, 8), torch.randn(3, 8))
dynamic_shapes = {"x": {0: torch.export.Dim.AUTO}, "context": {0: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape"}
model = ViewByOtherAuto()
twin = "view_by_other_ok"
