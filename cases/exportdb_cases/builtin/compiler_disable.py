import torch


class CompilerDisable(torch.nn.Module):
    """A method under `@torch.compiler.disable`: strict may not look into it."""

    @torch.compiler.disable
    def helper(self, x):
        return x.sin()

    def forward(self, x):
        return self.helper(x) + 1


example_args = (torch.randn(3, 2),)
tags = {"python.object-model"}
model = CompilerDisable()
twin = "class_method"
