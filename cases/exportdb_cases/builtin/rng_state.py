import torch


class RngState(torch.nn.Module):
    """Saving torch's random state in forward."""

    def forward(self, x):
        state = torch.get_rng_state()
        y = torch.rand(3, 2)
        torch.set_rng_state(state)
        return x + y * 0


example_args = (torch.randn(3, 2),)
tags = {"torch.operator"}
model = RngState()
twin = "random_used_ok"
