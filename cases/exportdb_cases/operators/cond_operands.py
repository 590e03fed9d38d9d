import torch


class CondOperands(torch.nn.Module):
    """Operands are tensors and match the parameters of the branches; the predicate may compare a dynamic size."""

    def forward(self, x, y):
        return torch.cond(x.shape[0] > 2, lambda x, y: x + y, lambda x, y: x - y, [x, y])


example_args = (torch.randn(3, 2), torch.randn(2))
dynamic_shapes = {"x": {0: torch.export.Dim("rows")}, "y": None}
tags = {"torch.cond", "torch.dynamic-shape"}
model = CondOperands()
exportdb_case = "cond_operands"
