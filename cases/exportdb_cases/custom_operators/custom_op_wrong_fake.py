import torch


@torch.library.custom_op("exportdb::first_half", mutates_args=())
def first_half(x: torch.Tensor) -> torch.Tensor:
    return x[: x.shape[0] // 2].clone()


@first_half.register_fake
def _(x):
    return torch.empty_like(x)


class CustomOpWrongFake(torch.nn.Module):
    """A fake kernel that promises another shape than the real one has."""

    def forward(self, x):
        y = first_half(x)
        return y * y.shape[0]


example_args = (torch.randn(4),)
tags = {"torch.operator", "torch.dynamic-shape"}
model = CustomOpWrongFake()
twin = "custom_op_without_fake_ok"
