import torch


class RepeatInterleaveAdd(torch.nn.Module):
    """`repeat_interleave` by a tensor has an unbacked size that meets a static one."""

    def forward(self, x, counts, y):
        return torch.repeat_interleave(x, counts) + y


example_args = (torch.randn(3), torch.tensor([1, 2, 1]), torch.randn(4))
extra_inputs = [
    (torch.randn(3), torch.tensor([2, 1, 1]), torch.randn(4)),
    (torch.randn(3), torch.tensor([1, 1, 2]), torch.randn(4)),
]
tags = {"torch.dynamic-value"}
model = RepeatInterleaveAdd()
