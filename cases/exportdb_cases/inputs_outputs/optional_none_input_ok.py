import torch


class OptionalNoneInputOk(torch.nn.Module):
    """A mask of ones where there is nothing to mask."""

    def forward(self, x, mask):
        return x * mask


example_args = (torch.randn(3), torch.ones(3))
extra_inputs = [(torch.randn(3), torch.ones(3) * 2)]
tags = {"python.object-model"}
model = OptionalNoneInputOk()
