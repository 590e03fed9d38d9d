import torch


class TensorComprehensionIf(torch.nn.Module):
    """A condition in a comprehension is a branch as well."""

    def forward(self, x):
        rows = [row for row in x if row.sum() > 0]
        return torch.stack([x[0], *rows]).sum(0)


example_args = (torch.randn(3, 2),)
tags = {"python.control-flow", "torch.dynamic-value"}
model = TensorComprehensionIf()
twin = "tensor_comprehension_if_ok"
