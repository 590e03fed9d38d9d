import torch


class ParameterDataAssign(torch.nn.Module):
    """A parameter's `.data` is assigned what is computed of the parameter itself: non-strict export alone loses that."""

    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.randn(2, 2))

    def forward(self, x):
        self.weight.data = self.weight * 0.5
        return x @ self.weight


example_args = (torch.randn(3, 2),)
tags = {"torch.mutation", "python.object-model"}
model = ParameterDataAssign()
twin = "parameter_data_write_ok"
