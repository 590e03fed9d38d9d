import torch


class InputDictUpdate(torch.nn.Module):
    """A dict among the inputs is given another key: the caller's dict is no graph output."""

    def forward(self, x, seen):
        seen["doubled"] = x * 2
        return seen["doubled"] + seen["bias"]


example_args = (torch.randn(3, 2), {"bias": torch.randn(2)})
tags = {"python.data-structure"}
model = InputDictUpdate()
twin = "input_dict_copied_ok"
issues = ("https://github.com/pytorch/pytorch/issues/147213",)
