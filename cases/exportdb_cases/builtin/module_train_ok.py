import torch


class ModuleTrainOk(torch.nn.Module):
    """The functional form takes the mode as an argument."""

    def forward(self, x):
        return torch.nn.functional.dropout(x, 0.5, training=False)


example_args = (torch.randn(3, 2),)
tags = {"python.object-model"}
model = ModuleTrainOk()
