import torch


class Net(torch.nn.Module):
    """Numbers in a list: how many calls there were, and how much each of them weighs."""

    def __init__(self):
        super().__init__()
        self.register_buffer("counts_0", torch.tensor(0), persistent=False)
        self.register_buffer(
            "counts_1", torch.tensor(1.0, dtype=torch.float64), persistent=False
        )

    def forward(self, x):
        self.counts_0 += 1
        self.counts_1 *= 0.5
        return x * self.counts_0 + x * self.counts_1


inputs = [(torch.ones(2, 3),), (torch.ones(2, 3) * 2,), (torch.ones(2, 3) * 3,)]
# mended: EDB402
