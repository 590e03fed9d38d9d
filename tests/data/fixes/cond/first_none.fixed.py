"""A loop over layers that has nothing to compare with at first."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.heads = nn.ModuleList([nn.Linear(4, 4) for _ in range(3)])

    def best(self, x):
        best = None
        best_score = torch.tensor(float("-inf"))
        for head in self.heads:
            y = head(x)
            score = y.mean()
            # the first one in any case
            def true_branch(best, score, best_score, y):
                best = y
                best_score = score
                return best.clone(), best_score.clone()

            def false_branch(best, score, best_score, y):
                return best.clone(), best_score.clone()

            if best is None:
                best, best_score = true_branch(best, score, best_score, y)
            else:
                best, best_score = torch.cond(
                    score > best_score,
                    true_branch,
                    false_branch,
                    (best, score, best_score, y),
                )
        return best, best_score

    def settled(self, x):
        before = None
        for head in self.heads:
            y = torch.relu(head(x))

            def true_branch(before, y):
                y = y + before
                return y

            def false_branch(before, y):
                return y.clone()

            if before is not None:
                y = torch.cond(
                    (y - before).abs().max() < 0.6,
                    true_branch,
                    false_branch,
                    (before, y),
                )
            else:
                y = false_branch(before, y)
            before = y
            x = y
        return x

    def forward(self, x):
        best, score = self.best(x)
        return best * score, self.settled(x)


model = Net()
example_args = (torch.randn(3, 4),)
inputs = [
    example_args,
    (torch.ones(3, 4),),
    (-torch.ones(3, 4) * 4,),
    (torch.zeros(3, 4),),
]
# mended: EDB101
