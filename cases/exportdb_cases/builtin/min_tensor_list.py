import torch


class MinTensorList(torch.nn.Module):
    """The builtin `min` over a list of tensors compares them one by one."""

    def forward(self, x):
        return x - min([row.sum() for row in x])


example_args = (torch.randn(3, 2),)
tags = {"python.builtin", "torch.dynamic-value"}
model = MinTensorList()
twin = "min_tensor_list_ok"
