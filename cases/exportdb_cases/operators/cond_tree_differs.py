import torch


class CondTreeDiffers(torch.nn.Module):
    """Branches that return different structures."""

    def forward(self, x):
        result = torch.cond(x.sum() > 0, lambda x: (x.sin(), x.cos()), lambda x: (x.sin(),), (x,))
        return result[0]


example_args = (torch.randn(3, 2),)
tags = {"torch.cond", "python.data-structure"}
model = CondTreeDiffers()
twin = "cond_tuple_output_ok"
