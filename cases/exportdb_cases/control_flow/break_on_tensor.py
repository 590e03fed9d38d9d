import torch


class BreakOnTensor(torch.nn.Module):
    """Leaving a loop early when a tensor says so."""

    def forward(self, x):
        for _ in range(4):
            x = x / 2
            if x.abs().max() < 0.5:
                break
        return x


example_args = (torch.randn(3, 2),)
tags = {"python.control-flow", "torch.dynamic-value"}
model = BreakOnTensor()
twin = "break_on_tensor_ok"
