from dataclasses import dataclass

import torch


@dataclass
class RegisteredOutput:
    logits: torch.Tensor


torch.export.register_dataclass(RegisteredOutput, serialized_type_name="exportdb.RegisteredOutput")


class DataclassOutputOk(torch.nn.Module):
    """A registered dataclass may be returned."""

    def forward(self, x):
        return RegisteredOutput(x.softmax(-1))


example_args = (torch.randn(3),)
tags = {"python.data-structure", "python.object-model"}
model = DataclassOutputOk()
