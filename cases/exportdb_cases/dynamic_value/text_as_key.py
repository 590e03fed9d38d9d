import torch


class TextAsKey(torch.nn.Module):
    """The text of a number from a tensor names a module: while tracing it is the name of the symbol."""

    def __init__(self):
        super().__init__()
        self.heads = torch.nn.ModuleDict({"head0": torch.nn.Linear(2, 2), "head1": torch.nn.Linear(2, 2)})

    def forward(self, x, which):
        return self.heads[f"head{which.item()}"](x)


example_args = (torch.randn(3, 2), torch.tensor(1))
tags = {"torch.dynamic-value", "python.data-structure"}
model = TextAsKey()
twin = "text_as_key_ok"
