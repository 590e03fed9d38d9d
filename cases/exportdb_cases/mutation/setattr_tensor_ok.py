import torch


class SetattrTensorOk(torch.nn.Module):
    """An attribute set on a tensor in one call disturbs nothing."""

    def forward(self, x):
        y = x.sin()
        setattr(y, "kind", "sine")
        return y + 1


example_args = (torch.randn(3, 2),)
tags = {"python.builtin", "python.object-model"}
model = SetattrTensorOk()
exportdb_case = "tensor_setattr"
