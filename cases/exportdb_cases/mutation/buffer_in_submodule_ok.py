import torch


class Masked(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("mask", None, persistent=False)

    def forward(self, x):
        if self.mask is None:
            self.register_buffer("mask", torch.ones(x.shape[1], x.shape[1]).triu(1).bool(), persistent=False)
        return (x.T @ x).masked_fill(self.mask, 0.0)


class BufferInSubmoduleOk(torch.nn.Module):
    """A buffer that tracing registers of a submodule takes the place of no input: the program computes the same."""

    def __init__(self):
        super().__init__()
        self.masked = Masked()

    def forward(self, x):
        return self.masked(x)


example_args = (torch.randn(3, 2),)
tags = {"torch.mutation", "python.object-model"}
model = BufferInSubmoduleOk()
