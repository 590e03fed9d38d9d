import torch


class ReservedNameTensor(torch.nn.Module):
    """A buffer is called `graph`, as a property of `torch.fx.GraphModule` is."""

    def __init__(self):
        super().__init__()
        self.register_buffer("graph", torch.eye(3))

    def forward(self, x):
        return self.graph @ x


example_args = (torch.randn(3, 2),)
tags = {"python.data-structure"}
model = ReservedNameTensor()
twin = "reserved_name_ok"
