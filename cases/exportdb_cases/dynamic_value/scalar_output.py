import torch


class ScalarOutput(torch.nn.Module):
    """A size as a result: the program returns the number."""

    def forward(self, x):
        return x.shape[1] + 1


example_args = (torch.randn(3, 2),)
dynamic_shapes = {"x": {1: torch.export.Dim("columns")}}
tags = {"torch.dynamic-value", "torch.dynamic-shape"}
model = ScalarOutput()
exportdb_case = "scalar_output"
