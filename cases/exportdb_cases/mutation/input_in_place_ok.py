import torch


class InputInPlaceOk(torch.nn.Module):
    """An input written in place is written by the exported program too."""

    def forward(self, x):
        x.add_(1)
        return x.sin()


example_args = (torch.randn(3, 2),)
tags = {"torch.mutation"}
model = InputInPlaceOk()
exportdb_case = "user_input_mutation"
