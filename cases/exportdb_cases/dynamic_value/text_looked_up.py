import torch


class TextLookedUp(torch.nn.Module):
    """The text of a number from a tensor is looked up, with a default: no entry has the name of the symbol."""

    def __init__(self):
        super().__init__()
        self.scales = {"kind0": 1.0, "kind1": 2.0}

    def forward(self, x, kind):
        return x * self.scales.get(f"kind{kind.item()}", 3.0)


example_args = (torch.randn(3, 2), torch.tensor(1))
tags = {"torch.dynamic-value", "python.data-structure"}
model = TextLookedUp()
twin = "text_looked_up_ok"
