import torch


class SliceAssignUnbacked(torch.nn.Module):
    """Writing into a slice whose bound comes from a tensor."""

    def forward(self, x, n):
        y = x.clone()
        y[: n.item()] = 0.0
        return y


example_args = (torch.randn(8), torch.tensor(4))
tags = {"torch.mutation", "torch.dynamic-value"}
model = SliceAssignUnbacked()
twin = "mask_fill_ok"
