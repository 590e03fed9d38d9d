import torch


class Net(torch.nn.Module):
    """Means over rows or over everything, of which the mean is taken again."""

    def forward(self, x):
        score = 1 + torch.cond(x.sum() > 0, lambda x: x.mean(0), lambda x: x.abs(), (x,)).mean() * 3
        return x * score


inputs = [(torch.ones(3, 2),), (-torch.ones(3, 2),)]
# refused: 8 branches-differ
