import torch


class RepeatInterleaveOk(torch.nn.Module):
    """`repeat_interleave` by a tensor gives a tensor of unbacked size."""

    def forward(self, x, counts):
        return torch.repeat_interleave(x, counts).sum()


example_args = (torch.randn(3), torch.tensor([1, 2, 1]))
tags = {"torch.dynamic-value"}
model = RepeatInterleaveOk()
