import torch


class AttributeByText(torch.nn.Module):
    """`getattr` with a default, by the text of a number from a tensor: no attribute has the name of the symbol."""

    def __init__(self):
        super().__init__()
        self.head0 = torch.nn.Linear(2, 2)
        self.head1 = torch.nn.Linear(2, 2)

    def forward(self, x, which):
        head = getattr(self, f"head{which.item()}", None)
        return x if head is None else head(x)


example_args = (torch.randn(3, 2), torch.tensor(1))
tags = {"torch.dynamic-value", "python.object-model"}
model = AttributeByText()
twin = "attribute_by_text_ok"
