import torch


class TypedTensorOfItem(torch.nn.Module):
    """A constructor named by a type reads the values of numbers that were read from tensors."""

    def forward(self, x):
        return x * torch.FloatTensor([x.max().item(), 1.0])


example_args = (torch.randn(3, 2),)
tags = {"torch.dynamic-value", "python.data-structure"}
model = TypedTensorOfItem()
twin = "as_tensor_of_item_ok"
