import logging

import torch

logger = logging.getLogger("exportdb")


class LoggerCallOk(torch.nn.Module):
    """A logger behind `torch.compiler.is_compiling()` is not reached while tracing."""

    def forward(self, x):
        if not torch.compiler.is_compiling():
            logger.warning("x has %d rows", x.shape[0])
        return x.sin()


example_args = (torch.randn(3, 2),)
tags = {"python.standard-library"}
model = LoggerCallOk()
