import torch


class Scope:
    def __enter__(self):
        return 2.0

    def __exit__(self, *error):
        return None


class ContextObjectEnteredOk(torch.nn.Module):
    """A context manager of one's own that is made where it is entered."""

    def forward(self, x):
        with Scope() as scale:
            return x * scale


example_args = (torch.randn(3, 2),)
tags = {"python.context-manager"}
model = ContextObjectEnteredOk()
