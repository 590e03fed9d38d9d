import torch


class Net(torch.nn.Module):
    """The first part of what a mask picks, by all the ways there are to cut."""

    def forward(self, x):
        rows = x[x[:, 0] > 0]
        first = rows.chunk(2)[0].sum(0)
        some = rows.split(3)[0].sum(0)
        one, two = rows.tensor_split(2)
        last = x[x[:, 1] > 0].tensor_split(3, dim=0)[-1]
        return first + some, one.sum(0) - two.sum(0), last


inputs = [
    (torch.tensor([[1.0, 2.0], [-1.0, 3.0], [2.0, 4.0], [3.0, 7.0]]),),
    (-torch.ones(4, 2),),
    (torch.ones(4, 2),),
    (torch.tensor([[-1.0, 2.0], [-1.0, 3.0], [2.0, 4.0], [-3.0, 7.0]]),),
]
# refused: 9 size-from-data, 10 size-from-data, 11 size-from-data, 12 size-from-data
