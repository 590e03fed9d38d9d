import torch


class TorchAssertShapeOk(torch.nn.Module):
    """`torch._assert` on a static size is decided while tracing."""

    def forward(self, x):
        torch._assert(x.shape[1] == 2, "two columns are needed")
        return x.sin()


example_args = (torch.randn(3, 2),)
tags = {"python.assert", "torch.dynamic-shape"}
model = TorchAssertShapeOk()
