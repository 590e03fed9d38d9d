import torch


class StorageSize(torch.nn.Module):
    """The size of a tensor's storage."""

    def forward(self, x):
        return x / x.storage().size()


example_args = (torch.randn(3, 2),)
tags = {"torch.dynamic-value"}
model = StorageSize()
twin = "storage_size_ok"
