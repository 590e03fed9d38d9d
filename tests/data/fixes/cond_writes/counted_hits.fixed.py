import torch


class Net(torch.nn.Module):
    """Counts how often one way was taken, inside the branch."""

    def __init__(self):
        super().__init__()
        self.register_buffer("hits", torch.zeros((), dtype=torch.int64))
        self.register_buffer("largest", torch.zeros(2))

    def forward(self, x):
        # what was seen so far
        def hit(x):
            hits = self.hits.clone()
            largest = self.largest.clone()
            hits.add_(1)  # one more
            largest.copy_(torch.maximum(largest, x.amax(0)))
            return x.sin(), hits, largest

        result, hits, largest = torch.cond(
            x.sum() > 0, hit, lambda x: (x.cos(), self.hits.clone(), self.largest.clone()), (x,)
        )
        self.hits.copy_(hits)
        self.largest.copy_(largest.detach())
        return result * self.hits + self.largest


inputs = [(torch.ones(3, 2),), (-torch.ones(3, 2),), (torch.ones(3, 2) * 2,), (torch.ones(3, 2),)]
# mended: EDB604
