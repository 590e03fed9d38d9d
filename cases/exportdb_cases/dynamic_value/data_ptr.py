import torch


class DataPtr(torch.nn.Module):
    """A fake tensor has no memory, so it has no `data_ptr()`."""

    def forward(self, x, y):
        if x.data_ptr() == y.data_ptr():
            return x
        return x + y


example_args = (torch.randn(3, 2), torch.randn(3, 2))
tags = {"torch.operator"}
model = DataPtr()
twin = "is_same_tensor_ok"
