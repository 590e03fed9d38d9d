import torch

torch.library.define("exportdb::halve_plain", "(Tensor x) -> Tensor")


@torch.library.impl("exportdb::halve_plain", "cpu")
def halve_plain(x):
    return x / 2


class LibraryDefineWithoutFake(torch.nn.Module):
    """An operator made with `torch.library.define` and a CPU kernel only."""

    def forward(self, x):
        return torch.ops.exportdb.halve_plain(x)


example_args = (torch.randn(3),)
tags = {"torch.operator"}
model = LibraryDefineWithoutFake()
