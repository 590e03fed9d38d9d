import torch
from torch.nn.utils.rnn import pad_sequence


class Net(torch.nn.Module):
    """Two selections of different length, padded to the longer one."""

    def forward(self, x):
        high = x[x[:, 0] > 1]
        low = x[x[:, 0] < 1]
        by_time = pad_sequence([high, low])
        flat = pad_sequence((x[x > 0], x[x < 0], x.flatten()), batch_first=True, padding_value=-1.0)
        return by_time.sum(0), flat


inputs = [
    (torch.tensor([[1.0, 2.0], [-1.0, 3.0], [2.0, 4.0], [3.0, 7.0]]),),
    (-torch.ones(4, 2),),
    (torch.ones(4, 2),),
    (torch.tensor([[-1.0, 2.0], [-1.0, 3.0], [2.0, 4.0], [-3.0, 7.0]]),),
]
# refused: 11 size-from-data, 12 size-from-data
