import torch

library = torch.library.Library("exportdb_composite", "FRAGMENT")


def custom_op_of(library):
    def register_custom_op(function):
        name = function.__name__.lstrip("_")
        schema = torch.library.infer_schema(function, mutates_args=())
        library.define(name + schema)
        library.impl(name, function, "CompositeImplicitAutograd")
        return getattr(torch.ops.exportdb_composite, name)

    return register_custom_op


register_custom_op = custom_op_of(library)


@register_custom_op
def _scaled(x: torch.Tensor, factor: float) -> torch.Tensor:
    return x * factor


class CompositeByDecoratorOk(torch.nn.Module):
    """A decorator of the project's own that registers a composite kernel: export traces the function."""

    def forward(self, x):
        return _scaled(x, 2.0) + 1


example_args = (torch.randn(3, 2),)
tags = {"torch.operator"}
model = CompositeByDecoratorOk()
