import torch


class ParameterAsBuffer(torch.nn.Module):
    """A parameter is registered as a buffer: strict export looks it up among the parameters."""

    def __init__(self):
        super().__init__()
        temperature = torch.nn.Parameter(torch.full((1,), 2.0), requires_grad=False)
        self.register_buffer("temperature", temperature)

    def forward(self, x):
        return torch.softmax(x / self.temperature, dim=-1)


example_args = (torch.randn(2, 3),)
tags = {"python.object-model"}
model = ParameterAsBuffer()
