"""What a branch chooses has another number of rows on each side, and the rest makes one shape of it again."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, n_mel=4, d=6):
        super().__init__()
        self.lin = nn.Linear(n_mel, d)
        self.att = nn.Linear(d, 1)
        self.register_buffer("unknown", torch.zeros(2, d))

    def pooled(self, frames):
        h = torch.tanh(self.lin(frames))
        w = torch.softmax(self.att(h), dim=0)
        return (w * h).sum(0)

    def forward(self, mel, rotation):
        energy = mel.mean(-1)
        voiced = energy > 0

        def rest(frames, rotation):
            mean = self.pooled(frames)
            turned = self.turned(rotation)
            return mean, turned @ mean[:3]

        def true_branch(voiced, mel, rotation):
            frames = mel  # too few of them
            return rest(frames, rotation)

        def false_branch(voiced, mel, rotation):
            frames = mel[voiced]
            return rest(frames, rotation)

        return torch.cond(voiced.sum() < 2, true_branch, false_branch, (voiced, mel, rotation))

    def turned(self, r):
        angle = torch.linalg.norm(r)

        def true_branch(angle, r):
            return torch.eye(3)

        def false_branch(angle, r):
            k = r / angle
            cross = torch.stack(
                [torch.zeros(()), -k[2], k[1], k[2], torch.zeros(()), -k[0], -k[1], k[0], torch.zeros(())]
            )
            cross = cross.view(3, 3)
            return torch.eye(3) + angle.sin() * cross + (1 - angle.cos()) * (cross @ cross)

        return torch.cond(angle < 1e-6, true_branch, false_branch, (angle, r))


model = Net()
example_args = (torch.randn(5, 4), torch.randn(3))
inputs = [
    example_args,
    (-torch.ones(5, 4), torch.zeros(3)),
    (torch.cat([torch.ones(1, 4), -torch.ones(4, 4)]), torch.ones(3)),
    (torch.ones(5, 4), torch.zeros(3)),
]
# mended: EDB101
