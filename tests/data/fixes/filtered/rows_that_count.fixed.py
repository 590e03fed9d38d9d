import torch


class Net(torch.nn.Module):
    """The rows with a positive sum, behind the first one."""

    def forward(self, x):
        # what counts
        keep = torch.vmap(lambda row: row.sum() > 0)(x)
        rows = x[keep]
        stacked = torch.cat([x[0].unsqueeze(0), rows])
        return stacked.sum(0), stacked.mean(0)


inputs = [
    (torch.tensor([[1.0, 2.0], [-1.0, -3.0], [2.0, 4.0]]),),
    (-torch.ones(3, 2),),
    (torch.ones(3, 2),),
]
# mended: EDB101
