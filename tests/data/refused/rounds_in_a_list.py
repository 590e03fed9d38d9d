import torch


class Net(torch.nn.Module):
    """Numbers in a list: how many calls there were, and how much each of them weighs."""

    def __init__(self):
        super().__init__()
        self.counts = [0, 1.0]

    def forward(self, x):
        self.counts[0] += 1
        self.counts[1] *= 0.5
        return x * self.counts[0] + x * self.counts[1]


inputs = [(torch.ones(2, 3),), (torch.ones(2, 3) * 2,), (torch.ones(2, 3) * 3,)]
# refused: 12 state-in-container, 13 state-in-container
