import torch


class TryExceptOk(torch.nn.Module):
    """A try statement is traced along the path that was taken; the handler is not in the graph."""

    def forward(self, x):
        try:
            return x @ x.T
        except RuntimeError:
            return x


example_args = (torch.randn(3, 2),)
tags = {"python.control-flow"}
model = TryExceptOk()
