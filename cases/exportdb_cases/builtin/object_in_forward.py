import torch


class ObjectInForward(torch.nn.Module):
    """An object that stands for what is missing, made while tracing."""

    def forward(self, x):
        missing = object()
        scale = {"a": 2.0}.get("b", missing)
        return x if scale is missing else x * scale


example_args = (torch.randn(3, 2),)
tags = {"python.builtin"}
model = ObjectInForward()
