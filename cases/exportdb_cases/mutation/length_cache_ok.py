import torch


class LengthCacheOk(torch.nn.Module):
    """Rotary tables that are made anew when a longer input comes: every call could make them."""

    def __init__(self):
        super().__init__()
        self.register_buffer("inverse", 1.0 / 10000 ** (torch.arange(0, 4, 2).float() / 4))
        self.length = 0
        self.cosine = None

    def forward(self, x):
        n = x.shape[1]
        if n > self.length:
            self.length = n
            angles = torch.outer(torch.arange(n, device=x.device).float(), self.inverse)
            self.cosine = torch.cat((angles, angles), dim=-1).cos()
        return x * self.cosine[:n]


example_args = (torch.randn(2, 5, 4),)
tags = {"torch.mutation"}
model = LengthCacheOk()
