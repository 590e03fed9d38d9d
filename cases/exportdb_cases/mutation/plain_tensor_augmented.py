import torch


class PlainTensorAugmented(torch.nn.Module):
    """`+=` on a tensor that is a plain attribute writes the tensor and the attribute."""

    def __init__(self):
        super().__init__()
        self.total = torch.zeros(2)

    def forward(self, x):
        self.total += x.sum(0)
        return x + self.total


example_args = (torch.randn(3, 2),)
tags = {"torch.mutation", "python.object-model"}
model = PlainTensorAugmented()
twin = "buffer_in_place_ok"
