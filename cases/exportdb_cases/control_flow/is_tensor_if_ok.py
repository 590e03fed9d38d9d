import torch


class IsTensorIfOk(torch.nn.Module):
    """`isinstance(x, torch.Tensor)` is decided while tracing."""

    def forward(self, x, scale=2.0):
        if not isinstance(scale, torch.Tensor):
            scale = torch.tensor(scale)
        return x * scale


example_args = (torch.randn(3, 2),)
tags = {"python.control-flow", "python.builtin"}
model = IsTensorIfOk()
