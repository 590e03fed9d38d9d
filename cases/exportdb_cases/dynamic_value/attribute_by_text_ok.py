import torch


class AttributeByTextOk(torch.nn.Module):
    """`getattr` by the text of a number that is known before tracing."""

    def __init__(self):
        super().__init__()
        self.head0 = torch.nn.Linear(2, 2)
        self.head1 = torch.nn.Linear(2, 2)
        self.which = 1

    def forward(self, x):
        head = getattr(self, f"head{self.which}", None)
        return x if head is None else head(x)


example_args = (torch.randn(3, 2),)
tags = {"torch.dynamic-value"}
model = AttributeByTextOk()
