import torch


class CondTensorIfInside(torch.nn.Module):
    """A branch of `torch.cond` with a plain `if` on a tensor in it."""

    def forward(self, x):
        def clipped(x):
            if x.max() > 1:
                return x.clamp(max=1)
            return x.sin()

        return torch.cond(x.sum() > 0, clipped, lambda x: x.cos(), (x,))


example_args = (torch.randn(3, 2),)
tags = {"torch.cond", "python.control-flow"}
model = CondTensorIfInside()
twin = "cond_nested_ok"
