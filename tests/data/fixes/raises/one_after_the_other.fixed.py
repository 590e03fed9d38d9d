import torch


class Net(torch.nn.Module):
    """Indices are checked from below and from above; the second check needs that there are any."""

    def forward(self, x, idx):
        # as the caller knows them
        torch._assert_async(~(idx < 0).any(), "bad index")
        torch._assert_async(~((idx.max() >= x.shape[0]) | x.isnan().any()), "bad index")
        return x[idx]


inputs = [
    (torch.ones(3, 4), torch.tensor([0, 2])),
    (torch.ones(3, 4), torch.tensor([0, -1])),
    (torch.ones(3, 4), torch.tensor([3, 1])),
    (torch.full((3, 4), float("nan")), torch.tensor([0, 1])),
]
# mended: EDB104
