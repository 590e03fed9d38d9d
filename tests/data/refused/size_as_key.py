import torch

FACTORS = {2: 0.7, 4: 0.5, 8: 0.25}


class Net(torch.nn.Module):
    """A factor that was tuned for some lengths, and another for all others."""

    def forward(self, x):
        rows = x.shape[0]
        scaled = FACTORS.get(rows, 1.5) * x
        return scaled - x.mean(0)


dynamic_shapes = {"x": {0: torch.export.Dim("rows")}}
model = Net()
example_args = (torch.ones(4, 2),)
inputs = [(torch.ones(4, 2),), (torch.ones(8, 2),), (torch.ones(2, 2),), (torch.ones(5, 2),)]
# refused: 11 lookup-by-size
