import torch


class Net(torch.nn.Module):
    """The soft maximum of the rows that count; -inf where there is none."""

    def forward(self, x):
        keep = x[:, 0] > 0
        rows = x[keep]
        padded = torch.cat([rows, rows.new_full((1, *rows.shape[1:]), float("-inf"))])
        largest = padded.amax(0).nan_to_num()
        rows_2 = x[keep] * 2
        padded_2 = torch.cat(
            [rows_2, rows_2.new_full((1, *rows_2.shape[1:]), float("-inf"))]
        )
        largest_2 = padded_2.amax(0).nan_to_num()
        return (
            (padded - largest).exp().sum(0).log() + largest
        ) + x.mean(0), ((padded_2 - largest_2).exp().sum(0).log() + largest_2)


inputs = [
    (torch.tensor([[1.0, 2.0], [-1.0, 3.0], [2.0, 4.0], [3.0, 7.0]]),),
    (-torch.ones(4, 2),),
    (torch.ones(4, 2),),
    (torch.tensor([[-1.0, 2.0], [-1.0, 3.0], [2.0, 4.0], [-3.0, 7.0]]),),
]
# mended: EDB208
