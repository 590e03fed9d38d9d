import torch
from torch.nn.utils.rnn import pad_sequence


class Net(torch.nn.Module):
    """Two selections of different length, padded to the longer one."""

    def forward(self, x):
        high = x[x[:, 0] > 1]
        low = x[x[:, 0] < 1]
        length = torch.sym_max(high.shape[0], low.shape[0])
        by_time = torch.stack(
            [
                torch.cat([high, high.new_full((length - high.shape[0], *high.shape[1:]), 0)]),
                torch.cat([low, low.new_full((length - low.shape[0], *low.shape[1:]), 0)]),
            ],
            1,
        )
        part = x[x > 0]
        part_2 = x[x < 0]
        part_3 = x.flatten()
        length_2 = torch.sym_max(torch.sym_max(part.shape[0], part_2.shape[0]), part_3.shape[0])
        flat = torch.stack(
            [
                torch.cat([part, part.new_full((length_2 - part.shape[0], *part.shape[1:]), -1.0)]),
                torch.cat(
                    [part_2, part_2.new_full((length_2 - part_2.shape[0], *part_2.shape[1:]), -1.0)]
                ),
                torch.cat(
                    [part_3, part_3.new_full((length_2 - part_3.shape[0], *part_3.shape[1:]), -1.0)]
                ),
            ]
        )
        return by_time.sum(0), flat


inputs = [
    (torch.tensor([[1.0, 2.0], [-1.0, 3.0], [2.0, 4.0], [3.0, 7.0]]),),
    (-torch.ones(4, 2),),
    (torch.ones(4, 2),),
    (torch.tensor([[-1.0, 2.0], [-1.0, 3.0], [2.0, 4.0], [-3.0, 7.0]]),),
]
# mended: EDB208
