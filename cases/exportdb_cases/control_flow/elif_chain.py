import torch


class ElifChain(torch.nn.Module):
    """An `elif` chain over a tensor."""

    def forward(self, x):
        level = x.mean()
        if level > 1:
            y = x.sin()
        elif level > 0:
            y = x.cos()
        else:
            y = x.tan()
        return y + 1


example_args = (torch.randn(3, 2),)
tags = {"python.control-flow", "torch.dynamic-value"}
model = ElifChain()
twin = "elif_chain_ok"
