"""What a comprehension computes for each element is chosen by a tensor; and rows that are equal."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(4, 4) for _ in range(3)])
        self.register_buffer("anchor", torch.zeros(4))

    def forward(self, x):
        kept = [
            torch.cond(layer(x).mean() > 0, lambda x: layer(x), lambda x: torch.zeros_like(x), (x,))
            for layer in self.layers
        ]
        total = sum(
            torch.cond(x.mean() > i * 0.5, lambda x: layer(x), lambda x: x.clone(), (x,))
            for i, layer in enumerate(self.layers)
        )
        return torch.stack(kept).sum(0), self.shifted(total, x)

    def shifted(self, y, x):
        def true_branch(x, y):
            return y.clone()

        def false_branch(x, y):
            def true_branch_2(y):
                return y + 1

            def false_branch_2(y):
                return self.layers[0](y)

            return torch.cond(
                torch.isclose(x, torch.ones_like(x), atol=1e-3).all(),
                true_branch_2,
                false_branch_2,
                (y,),
            )

        if x[0].shape == self.anchor.shape:
            return torch.cond((x[0] == self.anchor).all(), true_branch, false_branch, (x, y))
        else:
            return false_branch(x, y)


model = Net()
example_args = (torch.randn(3, 4),)
inputs = [
    example_args,
    (torch.ones(3, 4),),
    (torch.zeros(3, 4),),
    (-torch.ones(3, 4),),
]
# mended: EDB101 EDB105
