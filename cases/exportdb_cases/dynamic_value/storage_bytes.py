import torch


class StorageBytes(torch.nn.Module):
    """The length of a tensor's storage in bytes."""

    def forward(self, x):
        return x / x.untyped_storage().nbytes()


example_args = (torch.randn(3, 2),)
tags = {"torch.dynamic-value"}
model = StorageBytes()
twin = "storage_bytes_ok"
