import torch


class TolistFloat(torch.nn.Module):
    """Strict export takes `tolist` of whole numbers only."""

    def forward(self, x):
        low, high = x.tolist()
        return x * (high - low)


example_args = (torch.tensor([1.0, 4.0]),)
tags = {"torch.dynamic-value"}
model = TolistFloat()
