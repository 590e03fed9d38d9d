import torch


class MaxItemNumber(torch.nn.Module):
    """The builtin `max` of a number from a tensor and a number."""

    def forward(self, x, n):
        return x * max(n.item(), 3)


example_args = (torch.randn(3, 2), torch.tensor(4))
tags = {"python.builtin", "torch.dynamic-value"}
model = MaxItemNumber()
twin = "max_tensor_number_ok"
issues = ("https://github.com/pytorch/pytorch/issues/135632",)
