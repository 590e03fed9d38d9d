import torch


class UnbackedBroadcastCheckOk(torch.nn.Module):
    """`torch._check` tells the size, and the addition is decided."""

    def forward(self, x, y):
        chosen = x[x > 0]
        torch._check(chosen.shape[0] == y.shape[0])
        return chosen + y


example_args = (torch.tensor([1.0, -1.0, 2.0]), torch.randn(2))
extra_inputs = [(torch.tensor([1.0, 3.0, -2.0]), torch.randn(2)), (torch.tensor([-1.0, 3.0, 2.0]), torch.randn(2))]
tags = {"torch.dynamic-value"}
model = UnbackedBroadcastCheckOk()
