from enum import Enum

import torch


class Kind(Enum):
    TEXT = "text"
    IMAGE = "image"


class DictKeyEnum(torch.nn.Module):
    """The keys of an input are the members of an enum."""

    def forward(self, features):
        return features[Kind.TEXT] + features[Kind.IMAGE]


example_args = ({Kind.TEXT: torch.randn(3), Kind.IMAGE: torch.randn(3)},)
tags = {"python.data-structure"}
model = DictKeyEnum()
issues = ("https://github.com/pytorch/pytorch/issues/141525",)
