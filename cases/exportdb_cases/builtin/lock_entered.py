import threading

import torch

GUARD = threading.Lock()


class LockEntered(torch.nn.Module):
    """A lock made before tracing is entered while tracing."""

    def forward(self, x):
        with GUARD:
            return x.sin()


example_args = (torch.randn(3, 2),)
tags = {"python.standard-library", "python.context-manager"}
model = LockEntered()
twin = "null_context_manager"
