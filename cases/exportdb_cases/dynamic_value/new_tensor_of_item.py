import torch


class NewTensorOfItem(torch.nn.Module):
    """`new_tensor` of numbers read from tensors reads their values."""

    def forward(self, x):
        return x * x.new_tensor([x.max().item(), 1.0])


example_args = (torch.randn(3, 2),)
tags = {"torch.dynamic-value", "python.data-structure"}
model = NewTensorOfItem()
twin = "as_tensor_of_item_ok"
