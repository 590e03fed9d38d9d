"""Two closures count apart from each other; one of them decides."""

import torch
from torch import nn


def make_counter(step):
    """How often it was called, in steps."""

    class Tick(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("count", torch.tensor(0), persistent=False)
            self.register_buffer(
                "total", torch.tensor(0.0, dtype=torch.float64), persistent=False
            )

        def forward(self, weight):
            self.count += step
            self.total += weight * 0.5

            def true_branch():
                count = self.count.clone()
                count.fill_(0)
                return count

            def false_branch():
                return self.count.clone()

            count = torch.cond(self.count > 2, true_branch, false_branch)
            self.count.copy_(count)
            return self.count.double() + self.total

    return Tick()


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.slow = make_counter(1)
        self.fast = make_counter(step=2)

    def forward(self, x):
        y = x * self.slow(1.0)
        return y + self.fast(0.1)


inputs = [(torch.randn(2, 4),)] * 6
# mended: EDB101 EDB404
