import torch


class NestedContainersOk(torch.nn.Module):
    """Nested containers of tensors as inputs and outputs."""

    def forward(self, batch):
        return {"all": [batch["x"][0], (batch["y"], batch["x"][1] + 1)]}


example_args = ({"x": (torch.randn(3), torch.randn(3)), "y": torch.randn(3)},)
tags = {"python.data-structure"}
model = NestedContainersOk()
