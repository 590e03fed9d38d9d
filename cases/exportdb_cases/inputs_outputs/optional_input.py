import torch


class OptionalInput(torch.nn.Module):
    """An optional input that is left out keeps its default."""

    def forward(self, x, y=torch.ones(2, 3)):
        if y is not None:
            return x + y
        return x


example_args = (torch.randn(2, 3),)
tags = {"python.object-model"}
model = OptionalInput()
exportdb_case = "optional_input"
