import torch


class FormatRepr(torch.nn.Module):
    """`!r` in an f-string asks a tensor for its printed form, which strict export does not have."""

    def forward(self, x):
        name = f"input {x!r}"
        return x * 2 if name else x


example_args = (torch.randn(3, 2),)
tags = {"python.builtin", "torch.dynamic-value"}
model = FormatRepr()
twin = "print_ok"
