import torch


class OptionalNoneInput(torch.nn.Module):
    """An input that was None in the example: giving a tensor later is refused."""

    def forward(self, x, mask=None):
        return x if mask is None else x * mask


example_args = (torch.randn(3), None)
extra_inputs = [(torch.randn(3), torch.ones(3) * 2)]
tags = {"python.object-model"}
model = OptionalNoneInput()
