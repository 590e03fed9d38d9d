import contextlib

import torch


@contextlib.contextmanager
def scaled(x):
    yield x * 2


class ExitStackGeneratorOk(torch.nn.Module):
    """A context of a function under `@contextmanager`, entered through an `ExitStack`: strict export traces it."""

    def forward(self, x):
        with contextlib.ExitStack() as stack:
            y = stack.enter_context(scaled(x))
            stack.enter_context(contextlib.suppress(ValueError))
        return y.relu()


example_args = (torch.randn(3, 2),)
tags = {"python.context-manager"}
model = ExitStackGeneratorOk()
