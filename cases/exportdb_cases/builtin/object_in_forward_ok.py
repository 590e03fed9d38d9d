import torch

MISSING = object()


class ObjectInForwardOk(torch.nn.Module):
    """The object is made before tracing begins."""

    def forward(self, x):
        scale = {"a": 2.0}.get("b", MISSING)
        return x if scale is MISSING else x * scale


example_args = (torch.randn(3, 2),)
tags = {"python.builtin"}
model = ObjectInForwardOk()
