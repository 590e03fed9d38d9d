import torch


class Net(torch.nn.Module):
    """Overlapping windows as libraries cut them: the number of chunks is computed by torch."""

    def __init__(self):
        super().__init__()
        self.window = 2

    def forward(self, x):
        turned = x.transpose(0, 1)
        chunks = torch.div(turned.size(1), self.window * 2, rounding_mode="trunc")
        cut = turned.view(turned.size(0), chunks, self.window * 2, turned.size(2))
        return cut.sum(2)


dynamic_shapes = {"x": {0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC}}
example_args = (torch.arange(96.0).view(16, 3, 2),)
model = Net()
inputs = [(torch.arange(6.0 * n).view(n, 3, 2),) for n in (16, 8, 12)]
# refused: 14 unknown-form
