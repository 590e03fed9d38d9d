import torch


class CondAttributeMutation(torch.nn.Module):
    """A branch that sets an attribute of the module."""

    def __init__(self):
        super().__init__()
        self.side = "none"

    def forward(self, x):
        def left(x):
            self.side = "left"
            return x.sin()

        return torch.cond(x.sum() > 0, left, lambda x: x.cos(), (x,))


example_args = (torch.randn(3, 2),)
tags = {"torch.cond", "python.object-model"}
model = CondAttributeMutation()
twin = "cond_buffer_mutation_ok"
