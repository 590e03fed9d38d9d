import heapq

import torch


class StandardLibraryCall(torch.nn.Module):
    """Functions of the standard library that are written in C, or rest on such: strict export will not trace them."""

    def forward(self, x):
        sizes = [*x.shape]
        heapq.heapify(sizes)
        return x.sin() * sizes[0]


example_args = (torch.randn(3, 2),)
tags = {"python.builtin"}
model = StandardLibraryCall()
twin = "standard_library_call_ok"
