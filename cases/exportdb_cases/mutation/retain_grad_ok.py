import torch


class RetainGradOk(torch.nn.Module):
    """What is exported keeps no gradients."""

    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(2, 2)

    def forward(self, x):
        return self.layer(x).sin()


example_args = (torch.randn(3, 2),)
tags = {"torch.mutation"}
model = RetainGradOk()
