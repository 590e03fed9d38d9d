import torch


class Net(torch.nn.Module):
    """All dimensions but the first, counted by a tensor."""

    def forward(self, x, y):
        dims = list(range(1, x.dim()))  # not the batch
        other = y.sum(dim=list(range(y.dim()))[1:])
        return x.mean(dim=dims) + other


inputs = [(torch.arange(24.0).view(2, 3, 4), torch.ones(2, 3)), (torch.ones(2, 3, 4), torch.zeros(2, 3))]
# mended: EDB206
