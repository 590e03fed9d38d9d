import torch


class DataAssignInput(torch.nn.Module):
    """Assigning to `.data` of an input: strict export traces it, non-strict export loses it."""

    def forward(self, x):
        x.data = x * 2
        return x + 1


example_args = (torch.randn(3, 2),)
tags = {"torch.mutation"}
twin = "data_assign_ok"
model = DataAssignInput()
