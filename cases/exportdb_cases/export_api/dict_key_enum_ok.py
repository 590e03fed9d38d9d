import torch


class DictKeyEnumOk(torch.nn.Module):
    """The keys of an input are texts."""

    def forward(self, features):
        return features["text"] + features["image"]


example_args = ({"text": torch.randn(3), "image": torch.randn(3)},)
tags = {"python.data-structure"}
model = DictKeyEnumOk()
