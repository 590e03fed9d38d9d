import torch


class UnbackedBroadcast(torch.nn.Module):
    """A tensor of unbacked size meets one of static size: the graph takes them for equal, eager also broadcasts."""

    def forward(self, x, y):
        chosen = x[x > 0]
        return chosen + y


example_args = (torch.tensor([1.0, -1.0, 2.0]), torch.randn(2))
extra_inputs = [(torch.tensor([1.0, 3.0, -2.0]), torch.randn(2)), (torch.tensor([-1.0, 3.0, -2.0]), torch.randn(2))]
tags = {"torch.dynamic-value"}
model = UnbackedBroadcast()
twin = "unbacked_broadcast_check_ok"
