import torch


class AutocastOk(torch.nn.Module):
    """Casts that are written out."""

    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(2, 2, dtype=torch.bfloat16)

    def forward(self, x):
        return self.layer(x.to(torch.bfloat16)).float()


example_args = (torch.randn(3, 2),)
tags = {"torch.operator"}
model = AutocastOk()
