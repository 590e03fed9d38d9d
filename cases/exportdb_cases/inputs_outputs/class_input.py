import torch


class Settings:
    def __init__(self, scale):
        self.scale = scale


class ClassInput(torch.nn.Module):
    """An object of a plain class as an input."""

    def forward(self, x, settings):
        return x * settings.scale


example_args = (torch.randn(3), Settings(2.0))
tags = {"python.object-model"}
model = ClassInput()
twin = "dataclass_input_ok"
issues = ("https://github.com/pytorch/pytorch/issues/120219",)
