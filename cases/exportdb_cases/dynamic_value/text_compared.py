import torch


class TextCompared(torch.nn.Module):
    """The text of a number from a tensor is compared: while tracing it is the name of the symbol."""

    def forward(self, x, kind):
        if f"{kind.item()}" == "1":
            return x.sin()
        return x.cos()


example_args = (torch.randn(3, 2), torch.tensor(1))
tags = {"torch.dynamic-value", "python.builtin"}
model = TextCompared()
twin = "text_compared_ok"
