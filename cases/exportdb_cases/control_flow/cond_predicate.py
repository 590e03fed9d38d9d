import torch


class CondPredicate(torch.nn.Module):
    """A predicate of `torch.cond` may compare sizes; where they are static, it is decided while tracing."""

    def forward(self, x):
        return torch.cond(x.dim() > 2 and x.shape[2] > 10, lambda x: x.cos(), lambda x: x.sin(), (x,))


example_args = (torch.randn(6, 4, 3),)
tags = {"torch.cond", "torch.dynamic-shape"}
model = CondPredicate()
exportdb_case = "cond_predicate"
