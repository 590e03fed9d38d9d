import torch


class PlainTensorCounted(torch.nn.Module):
    """`+= 1` on a tensor that is a plain attribute: non-strict export runs it on the tensor itself while tracing, so that every
    call of the program is one step ahead."""

    def __init__(self):
        super().__init__()
        self.calls = torch.zeros(2)

    def forward(self, x):
        self.calls += 1
        return x * self.calls


example_args = (torch.randn(3, 2),)
tags = {"torch.mutation", "python.object-model"}
model = PlainTensorCounted()
twin = "buffer_in_place_ok"
