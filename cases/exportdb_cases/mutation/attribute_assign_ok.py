import torch


class AttributeAssignOk(torch.nn.Module):
    """The last value in a buffer, written with `copy_`, is kept."""

    def __init__(self):
        super().__init__()
        self.register_buffer("last", torch.zeros(3, 2))

    def forward(self, x):
        y = x + self.last
        self.last.copy_(x)
        return y


example_args = (torch.randn(3, 2),)
tags = {"python.object-model", "torch.mutation"}
model = AttributeAssignOk()
