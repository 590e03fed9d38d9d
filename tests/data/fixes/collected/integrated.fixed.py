"""Where a particle is at each moment, with where it began; the pushes come beside how long each lasts."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width=3):
        super().__init__()
        self.push = nn.Linear(width, width)

    def forward(self, start, forces, lasting):
        place, speed = start, torch.zeros_like(start)
        track = [place]

        def step(state, rows):
            speed, place = state
            forces_row, lasting_row = rows
            speed = speed + self.push(forces_row) * lasting_row
            place = place + speed * lasting_row
            return (speed, place), (place.clone(), speed.clone())

        (speed, place), (track_rows, speeds) = torch._higher_order_ops.scan(
            step, (speed, place), (forces, lasting[:forces.shape[0]])
        )
        return torch.cat([torch.stack(track), track_rows]).movedim(0, -1).contiguous(), speeds.norm(dim=-1)


moments = torch.export.Dim("moments", min=2, max=64)
dynamic_shapes = {"start": None, "forces": {0: moments}, "lasting": {0: moments}}
example_args = (torch.ones(3), torch.ones(4, 3), torch.ones(4))
model = Net()
inputs = [
    (torch.tensor([k, 0.0, 1.0]), torch.linspace(-2, 2, 3 * n).view(n, 3).sin(), torch.linspace(0.1, 1, n))
    for n, k in ((4, 0.0), (2, 1.0), (7, -1.0))
]
# mended: EDB303
