import torch


class CondBufferMutationOk(torch.nn.Module):
    """The branches return what the buffer shall have, and the write stands behind them."""

    def __init__(self):
        super().__init__()
        self.register_buffer("hits", torch.zeros(()))

    def forward(self, x):
        y, hits = torch.cond(
            x.sum() > 0,
            lambda x, hits: (x.sin(), hits + 1),
            lambda x, hits: (x.cos(), hits.clone()),
            (x, self.hits),
        )
        self.hits.copy_(hits)
        return y + self.hits


example_args = (torch.randn(3, 2),)
tags = {"torch.cond", "torch.mutation"}
model = CondBufferMutationOk()
