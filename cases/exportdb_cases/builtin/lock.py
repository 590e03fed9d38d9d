import threading

import torch


class Lock(torch.nn.Module):
    """A lock held in forward."""

    def __init__(self):
        super().__init__()
        self.scale = 2.0

    def forward(self, x):
        lock = threading.Lock()
        with lock:
            return x * self.scale


example_args = (torch.randn(3, 2),)
tags = {"python.standard-library", "python.context-manager"}
model = Lock()
twin = "null_context_manager"
