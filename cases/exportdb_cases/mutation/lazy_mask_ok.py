import torch


class LazyMaskOk(torch.nn.Module):
    """A mask that the first call makes and later ones cut: it depends on the size alone."""

    def __init__(self):
        super().__init__()
        self.mask = None

    def causal(self, n, device):
        if self.mask is not None and self.mask.shape[0] >= n:
            return self.mask[:n, :n]
        mask = torch.ones((n, n), device=device, dtype=torch.bool).triu(1)
        self.mask = mask
        return mask

    def forward(self, x):
        scores = x @ x.transpose(1, 2)
        return scores.masked_fill(self.causal(x.shape[1], x.device), -1e9).softmax(-1) @ x


example_args = (torch.randn(2, 5, 4),)
tags = {"torch.mutation"}
model = LazyMaskOk()
