import torch


class ViewByOtherOk(torch.nn.Module):
    """A view by a size of the tensor itself: nothing is narrowed."""

    def forward(self, x, context):
        return context.view(context.shape[0], -1, 4).sum(2)


example_args = (torch.randn(3, 8), torch.randn(3, 8))
dynamic_shapes = {"x": {0: torch.export.Dim.AUTO}, "context": {0: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape"}
model = ViewByOtherOk()
