import torch


class IsinstanceGuardItemOk(torch.nn.Module):
    """A check of a type that allows `torch.SymInt` too."""

    def forward(self, x, n):
        steps = n.item()
        assert isinstance(steps, (int, torch.SymInt))
        return x * steps


example_args = (torch.randn(4, 2), torch.tensor(3))
tags = {"torch.dynamic-value", "python.builtin"}
model = IsinstanceGuardItemOk()
