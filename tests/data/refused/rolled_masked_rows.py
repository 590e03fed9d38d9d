import torch


class Net(torch.nn.Module):
    """Steps between the rows that count, and each beside the one before it."""

    def forward(self, x):
        valid = x[x[:, 0] > 0]
        steps = valid.diff(dim=0)
        before = torch.roll(valid, 1, 0)
        # two back
        return steps.abs().sum(0), valid * 2 - before, valid.roll(shifts=-2, dims=0)


inputs = [
    (torch.tensor([[1.0, 2.0], [-1.0, 3.0], [2.0, 4.0], [3.0, 7.0]]),),
    (-torch.ones(4, 2),),
    (torch.ones(4, 2),),
    (torch.tensor([[-1.0, 2.0], [-1.0, 3.0], [2.0, 4.0], [-3.0, 7.0]]),),
]
# refused: 9 size-from-data, 10 size-from-data, 12 size-from-data
