import torch


class Net(torch.nn.Module):
    """A table that nobody has filled gives its default, whatever the size."""

    def __init__(self):
        super().__init__()
        self.known: dict[int, float] = {}

    def forward(self, x):
        key = x.shape[0] * 2
        found = torch.tensor([*self.known], dtype=torch.int64) == key
        found = torch.cat([found, torch.tensor([True])])
        return x / torch.tensor([*self.known.values(), 4.0])[
            found.int().argmax(0, keepdim=True)
        ].squeeze(0)


dynamic_shapes = {"x": {0: torch.export.Dim.DYNAMIC}}
model = Net()
example_args = (torch.ones(4, 2),)
inputs = [(torch.ones(4, 2),), (torch.ones(7, 2),)]
# mended: EDB306
