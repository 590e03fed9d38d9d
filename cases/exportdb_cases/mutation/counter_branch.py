import torch


class CounterBranch(torch.nn.Module):
    """A branch on a counter attribute: the warm-up phase is baked in."""

    def __init__(self):
        super().__init__()
        self.steps = 0

    def forward(self, x):
        self.steps += 1
        if self.steps > 2:
            return x.sin()
        return x.cos()


example_args = (torch.randn(3, 2),)
tags = {"python.object-model", "python.control-flow"}
model = CounterBranch()
twin = "attribute_counter_ok"
