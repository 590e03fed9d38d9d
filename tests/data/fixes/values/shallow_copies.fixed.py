import copy

import torch


class Net(torch.nn.Module):
    """Shallow copies share their tensor's storage, and are written through."""

    def forward(self, x, y):
        h = x * 2
        # the same numbers
        view = h.detach()
        view.add_(1)
        return h + view, x.detach().sum() + y.sin()


inputs = [(torch.ones(3, 2), torch.ones(2)), (-torch.ones(3, 2), torch.zeros(2))]
# mended: EDB207
