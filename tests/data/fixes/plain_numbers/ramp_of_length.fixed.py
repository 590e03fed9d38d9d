import torch


class Net(torch.nn.Module):
    """A ramp with as many steps as the data says."""

    def forward(self, x, n):
        steps = n.item()
        ramp = -1 + torch.arange(steps) * (2 / torch.sym_max(steps - 1, 1))
        steps_2 = n.item()
        return x * ramp.sum() + ramp.abs().sum(), torch.arange(steps_2) * (
            2.0 / torch.sym_max(steps_2 - 1, 1)
        )


inputs = [(torch.ones(3), torch.tensor(n)) for n in (4, 1, 9, 0)]
# mended: EDB206
