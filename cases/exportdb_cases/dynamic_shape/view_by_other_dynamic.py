import torch


class ViewByOtherDynamic(torch.nn.Module):
    """A view by a size of another input, under `Dim.DYNAMIC`: the exported program takes equal sizes alone, which eager does not."""

    def forward(self, x, context):
        return context.view(x.shape[0], -1, 4).sum(2)


example_args = (torch.randn(3, 8), torch.randn(3, 8))
dynamic_shapes = {"x": {0: torch.export.Dim.DYNAMIC}, "context": {0: torch.export.Dim.DYNAMIC}}
tags = {"torch.dynamic-shape"}
model = ViewByOtherDynamic()
twin = "view_by_other_ok"
