import torch


class BreakOnTensorOk(torch.nn.Module):
    """All steps run; a `torch.where` keeps the value once it is reached."""

    def forward(self, x):
        done = torch.zeros((), dtype=torch.bool)
        for _ in range(4):
            x = torch.where(done, x, x / 2)
            done = done | (x.abs().max() < 0.5)
        return x


example_args = (torch.randn(3, 2),)
tags = {"python.control-flow", "torch.dynamic-value"}
model = BreakOnTensorOk()
