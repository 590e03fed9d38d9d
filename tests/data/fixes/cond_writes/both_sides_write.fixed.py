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
            mean_2 = self.mean.clone()
            mean_2.mul_(0.5).add_(h.mean(0).detach() * 0.5)
            return h - mean_2, mean_2

        def slow(h):
            mean_2 = self.mean.clone()
            mean_2.lerp_(h.mean(0).detach(), 0.1)
            return h + mean_2, mean_2

        out, mean_2 = torch.cond(x.mean() > 0, fast, slow, (h,))
        self.mean.copy_(mean_2.detach())
        return out, self.mean.sum()


inputs = [(torch.ones(2, 4),), (-torch.ones(2, 4),), (torch.ones(2, 4) * 3,)]
# mended: EDB604
