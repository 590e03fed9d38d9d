import torch


class TensorSetattr(torch.nn.Module):
    """`setattr` on a tensor with a name that is an argument."""

    def forward(self, x, name):
        setattr(x, name, torch.randn(3, 2))
        return x + 4


example_args = (torch.randn(3, 2), "note")
tags = {"python.builtin", "python.object-model"}
model = TensorSetattr()
exportdb_case = "tensor_setattr"
