import torch


class SplitTolistOk(torch.nn.Module):
    """`torch.split` takes sizes that come from a tensor."""

    def forward(self, x, sizes):
        first, second = torch.split(x, sizes.tolist())
        return first.sum() + second.sum()


example_args = (torch.randn(6), torch.tensor([2, 4]))
extra_inputs = [(torch.randn(6), torch.tensor([3, 3])), (torch.randn(6), torch.tensor([1, 5]))]
tags = {"torch.dynamic-value"}
model = SplitTolistOk()
