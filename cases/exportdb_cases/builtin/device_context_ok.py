import torch


class DeviceContextOk(torch.nn.Module):
    """The device is given to what makes a tensor."""

    def forward(self, x):
        return x + torch.ones(2, device=x.device)


example_args = (torch.randn(3, 2),)
tags = {"python.context-manager"}
model = DeviceContextOk()
