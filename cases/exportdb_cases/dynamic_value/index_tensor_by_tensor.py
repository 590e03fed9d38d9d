import torch


class IndexTensorByTensor(torch.nn.Module):
    """Strict takes a tensor of no dimensions in an index for a number and reads it."""

    def __init__(self):
        super().__init__()
        self.register_buffer("scales", torch.tensor([0.5, 1.0, 2.0]))

    def forward(self, x):
        return x * self.scales[x.argmax()]


example_args = (torch.randn(3),)
tags = {"torch.dynamic-value"}
model = IndexTensorByTensor()
twin = "index_list_by_tensor_ok"
issues = ("https://github.com/pytorch/pytorch/issues/182345",)
