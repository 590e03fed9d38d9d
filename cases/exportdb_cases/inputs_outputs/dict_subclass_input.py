import torch


class Features(dict):
    pass


class DictSubclassInput(torch.nn.Module):
    """An input of a class that derives from dict: pytree knows the very type alone."""

    def forward(self, x, features: Features):
        return x + features["offset"]


example_args = (torch.randn(3), Features(offset=torch.randn(3)))
tags = {"python.object-model", "python.data-structure"}
model = DictSubclassInput()
twin = "dict_input_ok"
issues = ("https://github.com/pytorch/pytorch/issues/120219",)
