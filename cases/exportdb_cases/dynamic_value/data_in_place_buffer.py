import torch


class DataInPlaceBuffer(torch.nn.Module):
    """Running statistics written through `.data` of a buffer."""

    def __init__(self):
        super().__init__()
        self.register_buffer("total", torch.zeros(2))

    def forward(self, x):
        self.total.data.add_(x.sum(0))
        return x + self.total


example_args = (torch.randn(3, 2),)
tags = {"torch.mutation"}
model = DataInPlaceBuffer()
twin = "buffer_in_place_ok"
