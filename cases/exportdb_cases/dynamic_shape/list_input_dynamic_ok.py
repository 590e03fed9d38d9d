import torch


class ListInputDynamicOk(torch.nn.Module):
    """Dynamic dimensions of tensors in a list."""

    def forward(self, tensors):
        return tensors[0].sum() + tensors[1].sum()


example_args = ([torch.randn(4), torch.randn(6)],)
dynamic_shapes = {"tensors": [{0: torch.export.Dim("first")}, {0: torch.export.Dim("second")}]}
tags = {"torch.dynamic-shape", "python.data-structure"}
model = ListInputDynamicOk()
