import torch


class Net(torch.nn.Module):
    """The rows with a positive sum, behind the first one."""

    def forward(self, x):
        # what counts
        rows = [row for row in x if row.sum() > 0]
        stacked = torch.stack([x[0], *rows])
        return stacked.sum(0), stacked.mean(0)


inputs = [
    (torch.tensor([[1.0, 2.0], [-1.0, -3.0], [2.0, 4.0]]),),
    (-torch.ones(3, 2),),
    (torch.ones(3, 2),),
]
# refused: 9 loop-results
