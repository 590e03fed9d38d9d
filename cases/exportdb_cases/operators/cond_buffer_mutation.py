import torch


class CondBufferMutation(torch.nn.Module):
    """A branch that writes a buffer in place."""

    def __init__(self):
        super().__init__()
        self.register_buffer("hits", torch.zeros(()))

    def forward(self, x):
        def hit(x):
            self.hits.add_(1)
            return x.sin()

        return torch.cond(x.sum() > 0, hit, lambda x: x.cos(), (x,)) + self.hits


example_args = (torch.randn(3, 2),)
tags = {"torch.cond", "torch.mutation"}
model = CondBufferMutation()
