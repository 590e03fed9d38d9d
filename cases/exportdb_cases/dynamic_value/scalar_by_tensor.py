import torch


class ScalarByTensor(torch.nn.Module):
    """A tensor beside a number as the bounds of a clamp: strict export does not read the tensor."""

    def forward(self, x, low):
        return torch.clamp(x, low, 1.0)


example_args = (
    torch.randn(3, 2),
    torch.tensor(0.0),
)
tags = {"torch.dynamic-value"}
model = ScalarByTensor()
