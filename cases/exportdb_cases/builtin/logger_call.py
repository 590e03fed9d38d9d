import logging

import torch

logger = logging.getLogger("exportdb")


class LoggerCall(torch.nn.Module):
    """A call of a logger: non-strict runs it while tracing, strict leaves it out or stops."""

    def forward(self, x):
        logger.warning("x has %d rows", x.shape[0])
        return x.sin()


example_args = (torch.randn(3, 2),)
tags = {"python.standard-library"}
model = LoggerCall()
twin = "logger_call_ok"
