import torch


class DataReadParameter(torch.nn.Module):
    """`.data` of a parameter is cut out of tracing in the same way."""

    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.randn(2))

    def forward(self, x):
        return x * self.weight.data


example_args = (torch.randn(3, 2),)
tags = {"python.object-model"}
model = DataReadParameter()
twin = "data_read_ok"
issues = ("https://github.com/pytorch/pytorch/issues/170673",)
