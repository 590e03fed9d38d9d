import torch


class ManualSeed(torch.nn.Module):
    """Seeding torch's random generator in forward."""

    def forward(self, x):
        torch.manual_seed(0)
        return x + torch.rand(3, 2)


example_args = (torch.randn(3, 2),)
tags = {"torch.operator"}
model = ManualSeed()
twin = "random_used_ok"
