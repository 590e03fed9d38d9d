import torch


class Net(torch.nn.Module):
    """Centred by the rows that are kept, if any are."""

    def forward(self, x, keep):
        kept = x[keep]

        def true_branch(kept, x):
            x = x - kept.mean(0)
            return x

        def false_branch(kept, x):
            return x.clone()

        x = torch.cond(kept.numel() > 0, true_branch, false_branch, (kept, x))
        return x * 2


model = Net()
example_args = (torch.arange(6.0).view(3, 2), torch.tensor([True, False, True]))
inputs = [
    (torch.arange(6.0).view(3, 2), torch.tensor([True, False, True])),
    (torch.arange(6.0).view(3, 2), torch.tensor([False, False, False])),
    (torch.arange(6.0).view(3, 2), torch.tensor([False, True, False])),
]
# mended: EDB103
