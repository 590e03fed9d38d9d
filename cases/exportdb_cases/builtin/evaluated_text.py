import torch


class EvaluatedText(torch.nn.Module):
    """Python in a text is run while tracing."""

    def __init__(self):
        super().__init__()
        self.name = "sin"

    def forward(self, x):
        return eval(f"torch.{self.name}")(x)


example_args = (torch.randn(3, 2),)
tags = {"python.builtin"}
model = EvaluatedText()
