import torch


class IndexAssignByTensor(torch.nn.Module):
    """Writing to the row that a tensor of no dimensions names reads its number."""

    def forward(self, x):
        y = x.clone()
        y[x[:, 0].argmax()] = 0.0
        return y


example_args = (torch.randn(6, 8),)
tags = {"torch.dynamic-value", "torch.operator"}
model = IndexAssignByTensor()
twin = "index_assign_by_tensor_ok"
