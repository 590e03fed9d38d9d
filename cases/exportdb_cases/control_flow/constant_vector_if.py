import torch


class ConstantVectorIf(torch.nn.Module):
    """A tensor that tracing makes of several numbers is remembered by its sizes alone."""

    def forward(self, x):
        scales = torch.tensor([2, 4])
        if scales[0] > 1:
            return x * 2
        return x


example_args = (torch.randn(3, 2),)
tags = {"torch.dynamic-value", "python.control-flow"}
model = ConstantVectorIf()
twin = "constant_tensor_if_ok"
