import torch


class VmapWeightsOk(torch.nn.Module):
    """The weights are read before, and the function closes over them."""

    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(2, 2)

    def forward(self, x):
        weight, bias = self.linear.weight, self.linear.bias
        return torch.vmap(lambda row: torch.nn.functional.linear(row, weight, bias))(x)


example_args = (torch.randn(4, 3, 2),)
tags = {"torch.operator"}
model = VmapWeightsOk()
