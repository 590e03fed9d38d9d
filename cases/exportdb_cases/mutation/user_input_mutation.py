import torch


class UserInputMutation(torch.nn.Module):
    """A write into an input is done by the exported program too."""

    def forward(self, x):
        x.mul_(2)
        return x.cos()


example_args = (torch.randn(3, 2),)
tags = {"torch.mutation"}
model = UserInputMutation()
exportdb_case = "user_input_mutation"
issues = ("https://github.com/pytorch/pytorch/issues/112429",)
