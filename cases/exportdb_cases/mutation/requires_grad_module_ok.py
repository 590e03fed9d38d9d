import torch


class RequiresGradModuleOk(torch.nn.Module):
    """A layer that is frozen when it is made."""

    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(2, 2)
        self.layer.requires_grad_(False)

    def forward(self, x):
        return self.layer(x)


example_args = (torch.randn(3, 2),)
tags = {"torch.mutation"}
model = RequiresGradModuleOk()
