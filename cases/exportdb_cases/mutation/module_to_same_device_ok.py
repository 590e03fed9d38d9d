import torch


class ModuleToSameDeviceOk(torch.nn.Module):
    """A layer that is moved to the device of the input where it is on another: it is on the same one."""

    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(3, 3)

    def forward(self, x):
        if self.layer.weight.device != x.device:
            self.layer.to(x.device)
        return self.layer(x)


example_args = (torch.randn(2, 3),)
tags = {"torch.mutation"}
model = ModuleToSameDeviceOk()
