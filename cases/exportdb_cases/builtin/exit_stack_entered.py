import contextlib

import torch


class ExitStackEntered(torch.nn.Module):
    """A context entered through `ExitStack.enter_context`, which strict export does not trace."""

    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(2, 2)

    def forward(self, x):
        with contextlib.ExitStack() as stack:
            stack.enter_context(torch.no_grad())
            y = self.layer(x)
        return y.relu()


example_args = (torch.randn(3, 2),)
tags = {"python.context-manager"}
model = ExitStackEntered()
twin = "exit_stack_callback_ok"
