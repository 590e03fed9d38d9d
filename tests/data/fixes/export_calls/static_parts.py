"""Lists, tuples and dicts that are declared as None: each tensor in them is static."""

import torch
from torch import nn
from torch.export import Dim


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)

    def forward(self, x, state, names, options, *rest):
        hidden, (cell,) = state
        return self.linear(x) * hidden + cell * len(names) + options["bias"] + rest[0]


model = Net()
example_args = (
    torch.randn(3, 4),
    [torch.randn(4), (torch.randn(1),)],
    ["a", "b"],
    {"bias": torch.randn(4)},
    torch.randn(1),
)
dynamic_shapes = {
    "x": {0: Dim("rows", min=2, max=64)},
    "state": None,
    "names": None,  # texts
    "options": None,
    "rest": None,
}
inputs = [
    (torch.ones(n, 4), [torch.ones(4), (torch.ones(1) * n,)], ["a", "b"], {"bias": torch.zeros(4)}, torch.ones(1))
    for n in (3, 9)
]
torch.manual_seed(0)
# mended: EDB902
