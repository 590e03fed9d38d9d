import torch


class Net(torch.nn.Module):
    """The first part of what a mask picks, by all the ways there are to cut."""

    def forward(self, x):
        rows = x[x[:, 0] > 0]
        first = rows[: (rows.shape[0] + 1) // 2].sum(0)
        some = rows[:3].sum(0)
        one, two = (rows[: (rows.shape[0] + 1) // 2], rows[(rows.shape[0] + 1) // 2 :])
        rows_2 = x[x[:, 1] > 0]
        last = rows_2[rows_2.shape[0] - rows_2.shape[0] // 3 :]
        return first + some, one.sum(0) - two.sum(0), last


inputs = [
    (torch.tensor([[1.0, 2.0], [-1.0, 3.0], [2.0, 4.0], [3.0, 7.0]]),),
    (-torch.ones(4, 2),),
    (torch.ones(4, 2),),
    (torch.tensor([[-1.0, 2.0], [-1.0, 3.0], [2.0, 4.0], [-3.0, 7.0]]),),
]
# mended: EDB208
