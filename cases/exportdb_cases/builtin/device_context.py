import torch


class DeviceContext(torch.nn.Module):
    """A device as a context manager: strict export cannot enter it."""

    def forward(self, x):
        with torch.device("cpu"):
            return x + torch.ones(2)


example_args = (torch.randn(3, 2),)
tags = {"python.context-manager"}
model = DeviceContext()
