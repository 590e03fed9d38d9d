import torch


class CompilerDisableShallow(torch.nn.Module):
    """A method under `@torch.compiler.disable(recursive=False)`, which export supports in neither mode."""

    @torch.compiler.disable(recursive=False)
    def helper(self, x):
        return x.sin()

    def forward(self, x):
        return self.helper(x) + 1


example_args = (torch.randn(3, 2),)
tags = {"python.object-model"}
model = CompilerDisableShallow()
twin = "class_method"
