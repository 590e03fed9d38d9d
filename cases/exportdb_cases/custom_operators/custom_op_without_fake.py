import torch


@torch.library.custom_op("exportdb::double_plain", mutates_args=())
def double_plain(x: torch.Tensor) -> torch.Tensor:
    return x * 2


class CustomOpWithoutFake(torch.nn.Module):
    """A custom operator without a fake kernel: export does not know the shape of its result."""

    def forward(self, x):
        return double_plain(x) + 1


example_args = (torch.randn(3),)
tags = {"torch.operator"}
model = CustomOpWithoutFake()
issues = ("https://github.com/pytorch/pytorch/issues/141545",)
