from contextlib import nullcontext

import torch


class NullContextManager(torch.nn.Module):
    """`contextlib.nullcontext` leaves nothing in the graph."""

    def forward(self, x):
        with nullcontext():
            return x.sin() + x.cos()


example_args = (torch.randn(3, 2),)
tags = {"python.context-manager"}
model = NullContextManager()
exportdb_case = "null_context_manager"
