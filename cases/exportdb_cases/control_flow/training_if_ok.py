import torch


class TrainingIfOk(torch.nn.Module):
    """A branch on `self.training` is decided while tracing."""

    def forward(self, x):
        if self.training:
            return x * 2
        return x


example_args = (torch.randn(3, 2),)
tags = {"python.control-flow"}
model = TrainingIfOk()
