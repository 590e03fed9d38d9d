import torch


class TensorInList(torch.nn.Module):
    """`t in [1, 2]` compares the tensor with each element and asks for the truth value."""

    def forward(self, x):
        if x.sum() in [1, 2]:
            return x * 2
        return x


example_args = (torch.tensor([1, 2, 3]),)
tags = {"python.builtin", "torch.dynamic-value"}
model = TensorInList()
twin = "tensor_in_ok"
