import torch

calls = 0


class GlobalCounter(torch.nn.Module):
    """A global that forward writes is written in eager only."""

    def forward(self, x):
        global calls
        calls += 1
        return x + calls


example_args = (torch.zeros(3, 2),)
tags = {"torch.mutation"}
model = GlobalCounter()
twin = "attribute_counter_ok"
