import torch


class DeviceCount(torch.nn.Module):
    """A question to torch that is answered by a number: strict export does not trace most of these."""

    def forward(self, x):
        if torch.cuda.device_count() > 8:
            return x.cos()
        return x.sin()


example_args = (torch.randn(3, 2),)
tags = {"python.builtin"}
model = DeviceCount()
twin = "is_exporting_guard_ok"
