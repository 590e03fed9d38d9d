import torch


class ConstrainAsValue(torch.nn.Module):
    """`torch._constrain_as_value` came and went."""

    def forward(self, n):
        value = n.item()
        torch._constrain_as_value(value, min=0, max=16)
        return torch.ones(4) * value


example_args = (torch.tensor(4),)
tags = {"torch.dynamic-value"}
model = ConstrainAsValue()
twin = "constrain_as_value_example"
