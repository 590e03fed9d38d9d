import torch


class IsSameTensorOk(torch.nn.Module):
    """`is` compares the objects, which works while tracing."""

    def forward(self, x, y):
        if x is y:
            return x
        return x + y


example_args = (torch.randn(3, 2), torch.randn(3, 2))
tags = {"python.object-model"}
model = IsSameTensorOk()
