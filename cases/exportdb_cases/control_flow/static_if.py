import torch


class StaticIf(torch.nn.Module):
    """A branch on the number of dimensions is decided while tracing."""

    def forward(self, x):
        if x.dim() == 3:
            return x + torch.ones(1, 1, 1)
        return x


example_args = (torch.randn(3, 2, 2),)
tags = {"python.control-flow"}
model = StaticIf()
exportdb_case = "static_if"
