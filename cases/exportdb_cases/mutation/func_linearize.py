import torch


class FuncLinearize(torch.nn.Module):
    """`torch.func.linearize` runs `make_fx` on the function, inside of the trace."""

    def forward(self, x):
        y, slope = torch.func.linearize(torch.sin, x)
        return y + slope(x)


example_args = (torch.randn(3),)
tags = {"torch.operator"}
model = FuncLinearize()
twin = "func_jvp_weights_ok"
