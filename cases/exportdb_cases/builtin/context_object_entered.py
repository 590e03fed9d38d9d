import torch


class Scope:
    def __enter__(self):
        return 2.0

    def __exit__(self, *error):
        return None


class ContextObjectEntered(torch.nn.Module):
    """A context manager of one's own that the constructor made."""

    def __init__(self):
        super().__init__()
        self.scope = Scope()

    def forward(self, x):
        with self.scope as scale:
            return x * scale


example_args = (torch.randn(3, 2),)
tags = {"python.context-manager", "python.object-model"}
model = ContextObjectEntered()
twin = "context_object_entered_ok"
