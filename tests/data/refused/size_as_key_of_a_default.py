import torch


class Net(torch.nn.Module):
    """A table that nobody has filled gives its default, whatever the size."""

    def __init__(self):
        super().__init__()
        self.known: dict[int, float] = {}

    def forward(self, x):
        return x / self.known.get(x.shape[0] * 2, 4.0)


dynamic_shapes = {"x": {0: torch.export.Dim.DYNAMIC}}
model = Net()
example_args = (torch.ones(4, 2),)
inputs = [(torch.ones(4, 2),), (torch.ones(7, 2),)]
# refused: 12 lookup-by-size
