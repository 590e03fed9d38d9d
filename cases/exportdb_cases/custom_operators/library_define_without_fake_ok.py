import torch

torch.library.define("exportdb::halve_fake", "(Tensor x) -> Tensor")


@torch.library.impl("exportdb::halve_fake", "cpu")
def halve_fake(x):
    return x / 2


@torch.library.register_fake("exportdb::halve_fake")
def halve_shape(x):
    return torch.empty_like(x)


class LibraryDefineWithoutFakeOk(torch.nn.Module):
    """The same operator with `torch.library.register_fake`."""

    def forward(self, x):
        return torch.ops.exportdb.halve_fake(x)


example_args = (torch.randn(3),)
tags = {"torch.operator"}
model = LibraryDefineWithoutFakeOk()
