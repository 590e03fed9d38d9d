import torch


class Net(torch.nn.Module):
    """A ramp with as many steps as the data says."""

    def forward(self, x, n):
        ramp = torch.linspace(-1, 1, n.item())
        return x * ramp.sum() + ramp.abs().sum(), torch.linspace(0.0, 2.0, steps=n)


inputs = [(torch.ones(3), torch.tensor(n)) for n in (4, 1, 9, 0)]
# mended: EDB206
