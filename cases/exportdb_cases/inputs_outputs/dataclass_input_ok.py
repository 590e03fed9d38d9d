from dataclasses import dataclass

import torch


@dataclass
class RegisteredBatch:
    x: torch.Tensor
    y: torch.Tensor


torch.export.register_dataclass(RegisteredBatch, serialized_type_name="exportdb.RegisteredBatch")


class DataclassInputOk(torch.nn.Module):
    """`torch.export.register_dataclass` tells pytree what is in it."""

    def forward(self, batch):
        return batch.x + batch.y


example_args = (RegisteredBatch(torch.randn(3), torch.randn(3)),)
tags = {"python.data-structure", "python.object-model"}
model = DataclassInputOk()
issues = ("https://github.com/pytorch/pytorch/pull/109152",)
