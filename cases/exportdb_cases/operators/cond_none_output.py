import torch


class CondNoneOutput(torch.nn.Module):
    """Branches of `torch.cond` that return None."""

    def forward(self, x):
        result = torch.cond(x.sum() > 0, lambda x: (x.sin(), None), lambda x: (x.cos(), None), (x,))
        return result[0]


example_args = (torch.randn(3, 2),)
tags = {"torch.cond"}
model = CondNoneOutput()
twin = "cond_tuple_output_ok"
