import torch


class CondClosedOverVariable(torch.nn.Module):
    """Branches that close over a tensor, with a predicate that is an input."""

    def forward(self, pred, x):
        y = x + 1
        return torch.cond(pred, lambda x: x * 2 + y, lambda x: x - y, [x])


example_args = (torch.tensor(True), torch.randn(3, 2))
tags = {"torch.cond", "python.closure"}
model = CondClosedOverVariable()
exportdb_case = "cond_closed_over_variable"
