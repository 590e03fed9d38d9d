import torch


class FormatReprCaptured(torch.nn.Module):
    """Within `torch.cond`, `!r` asks a tensor for its printed form in non-strict export too."""

    def forward(self, x):
        def near(x):
            name = f"input {x!r}"
            return x * 2 if name else x.cos()

        return torch.cond(x.norm() < 2, near, lambda x: x.sin(), (x,))


example_args = (torch.randn(3, 2),)
tags = {"python.builtin", "torch.cond"}
model = FormatReprCaptured()
twin = "print_ok"
