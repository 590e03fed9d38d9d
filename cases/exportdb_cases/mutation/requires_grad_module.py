import torch


class RequiresGradModule(torch.nn.Module):
    """Freezing a layer in forward: strict export traces no change of `requires_grad`."""

    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(2, 2)

    def forward(self, x):
        self.layer.requires_grad_(False)
        return self.layer(x)


example_args = (torch.randn(3, 2),)
tags = {"torch.mutation"}
model = RequiresGradModule()
