import torch


class ParameterAsBufferOk(torch.nn.Module):
    """A plain tensor is registered as a buffer."""

    def __init__(self):
        super().__init__()
        self.register_buffer("temperature", torch.full((1,), 2.0))

    def forward(self, x):
        return torch.softmax(x / self.temperature, dim=-1)


example_args = (torch.randn(2, 3),)
tags = {"python.object-model"}
model = ParameterAsBufferOk()
