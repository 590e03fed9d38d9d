import torch


class Net(torch.nn.Module):
    """A running mean that either side moves, each in its own way."""

    def __init__(self):
        super().__init__()
        self.register_buffer("mean", torch.zeros(4))
        self.project = torch.nn.Linear(4, 4)

    def forward(self, x):
        h = self.project(x)

        def fast(h):
            self.mean.mul_(0.5).add_(h.mean(0).detach() * 0.5)
            return h - self.mean

        def slow(h):
            self.mean.lerp_(h.mean(0).detach(), 0.1)
            return h + self.mean

        out = torch.cond(x.mean() > 0, fast, slow, (h,))
        return out, self.mean.sum()


inputs = [(torch.ones(2, 4),), (-torch.ones(2, 4),), (torch.ones(2, 4) * 3,)]
# mended: EDB604
