import torch


@torch.library.custom_op("exportdb::positives", mutates_args=())
def positives(x: torch.Tensor) -> torch.Tensor:
    return x[x > 0]


@positives.register_fake
def _(x):
    return x.new_empty(torch.library.get_ctx().new_dynamic_size())


class CustomOpDataSizeOk(torch.nn.Module):
    """A fake kernel gives a size that depends on data as a new dynamic size."""

    def forward(self, x):
        return positives(x).sum()


example_args = (torch.randn(4),)
tags = {"torch.operator", "torch.dynamic-value"}
model = CustomOpDataSizeOk()
