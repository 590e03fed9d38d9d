import torch


class ClassAttribute(torch.nn.Module):
    """A counter on the class."""

    calls = 0

    def forward(self, x):
        type(self).calls += 1
        return x + type(self).calls


example_args = (torch.zeros(3, 2),)
tags = {"python.object-model"}
model = ClassAttribute()
twin = "attribute_counter_ok"
