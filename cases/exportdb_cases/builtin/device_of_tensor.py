import torch


class DeviceOfTensor(torch.nn.Module):
    """`torch.cuda.device_of` around a kernel, which does nothing for a tensor of the CPU."""

    def forward(self, x):
        with torch.cuda.device_of(x):
            return x.sin() + 1


example_args = (torch.randn(3, 2),)
tags = {"python.context-manager"}
model = DeviceOfTensor()
twin = "graph_break_asked_ok"
