import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, rounds=20):
        super().__init__()
        self.rounds = rounds

    def forward(self, scores):
        p = scores.exp()
        ones = torch.ones(scores.shape[0])
        n = 0
        while not torch.allclose(p.sum(dim=1), ones, atol=1e-3) and n < self.rounds:
            p = p / p.sum(dim=1, keepdim=True)
            p = p / p.sum(dim=0, keepdim=True)
            n += 1
        return p


model = Net()
example_args = (torch.randn(4, 4),)
inputs = [(torch.randn(4, 4),), (torch.full((4, 4), -1.3863),), (torch.randn(4, 4) * 3,)]
# mended: EDB105
