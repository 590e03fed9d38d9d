import torch


@torch.library.custom_op("exportdb::double_into", mutates_args={"x"})
def double_into(x: torch.Tensor) -> None:
    x.mul_(2)


class CustomOpMutationOk(torch.nn.Module):
    """A custom operator that says which argument it writes."""

    def forward(self, x):
        y = x.clone()
        double_into(y)
        return y + 1


example_args = (torch.randn(3),)
tags = {"torch.operator", "torch.mutation"}
model = CustomOpMutationOk()
