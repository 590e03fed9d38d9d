import torch


class TensorIn(torch.nn.Module):
    """`1 in t` compares and asks whether any element is equal."""

    def forward(self, x):
        if 1 in x:
            return x * 2
        return x


example_args = (torch.tensor([1, 2, 3]),)
tags = {"python.builtin", "torch.dynamic-value"}
model = TensorIn()
