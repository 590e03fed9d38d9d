import torch


class Net(torch.nn.Module):
    """Scored by the rows that are kept, if there are two of them."""

    def forward(self, x, keep):
        kept = x[keep]
        # one alone is no score
        score = torch.cond(
            kept.shape[0] > 1,
            lambda kept, x: kept.sum(0),
            lambda kept, x: x.sum(dim=0),
            (kept, x),
        )
        return x + score


model = Net()
example_args = (torch.arange(6.0).view(3, 2), torch.tensor([True, False, True]))
inputs = [
    (torch.arange(6.0).view(3, 2), torch.tensor([True, False, True])),
    (torch.arange(6.0).view(3, 2), torch.tensor([False, False, False])),
    (torch.arange(6.0).view(3, 2), torch.tensor([False, True, False])),
]
# mended: EDB103
