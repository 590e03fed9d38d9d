import torch


class Shift:
    @classmethod
    def apply(cls, x):
        return x + 1


class TypeReflectionMethod(torch.nn.Module):
    """A class method that is reached through `type(obj)`."""

    def forward(self, x):
        shift = Shift()
        return type(shift).apply(x)


example_args = (torch.randn(3, 2),)
tags = {"python.builtin", "python.object-model"}
model = TypeReflectionMethod()
exportdb_case = "type_reflection_method"
