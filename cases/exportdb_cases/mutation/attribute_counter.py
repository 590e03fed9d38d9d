import torch


class AttributeCounter(torch.nn.Module):
    """A counter on the module is read and written in every call; the graph keeps its value at tracing time."""

    def __init__(self):
        super().__init__()
        self.calls = 0

    def forward(self, x):
        self.calls += 1
        return x + self.calls


example_args = (torch.zeros(3, 2),)
tags = {"python.object-model"}
model = AttributeCounter()
exportdb_case = "model_attr_mutation"
