import torch


class IsinstanceGuardItem(torch.nn.Module):
    """A number that depends on data is no `int` while tracing: a check of its type raises."""

    def forward(self, x, n):
        steps = n.item()
        assert isinstance(steps, int)
        return x * steps


example_args = (torch.randn(4, 2), torch.tensor(3))
tags = {"torch.dynamic-value", "python.builtin"}
model = IsinstanceGuardItem()
twin = "isinstance_guard_item_ok"
