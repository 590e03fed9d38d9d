import torch


class IndexAssignByTensorOk(torch.nn.Module):
    """The row to write to is named by an index of one dimension."""

    def forward(self, x):
        y = x.clone()
        y[x[:, 0].argmax().unsqueeze(0)] = 0.0
        return y


example_args = (torch.randn(6, 8),)
tags = {"torch.dynamic-value", "torch.operator"}
model = IndexAssignByTensorOk()
