import contextlib

import torch


class ExitStackCallbackOk(torch.nn.Module):
    """An `ExitStack` that calls back, and a context that is entered by `with`."""

    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(2, 2)

    def forward(self, x):
        with contextlib.ExitStack() as stack, torch.no_grad():
            stack.callback(print, "done")
            y = self.layer(x)
        return y.relu()


example_args = (torch.randn(3, 2),)
tags = {"python.context-manager"}
model = ExitStackCallbackOk()
