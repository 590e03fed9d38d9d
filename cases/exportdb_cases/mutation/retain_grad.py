import torch


class RetainGrad(torch.nn.Module):
    """`retain_grad` is for training; strict export cannot trace it."""

    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(2, 2)

    def forward(self, x):
        y = self.layer(x)
        y.retain_grad()
        return y.sin()


example_args = (torch.randn(3, 2),)
tags = {"torch.mutation"}
model = RetainGrad()
