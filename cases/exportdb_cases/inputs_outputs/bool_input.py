import torch


class BoolInput(torch.nn.Module):
    """A Python bool as an input is a constant of the program."""

    def forward(self, x, sine):
        return x.sin() if sine else x.cos()


example_args = (torch.randn(3), True)
extra_inputs = [(torch.randn(3), False)]
tags = {"python.builtin", "python.control-flow"}
model = BoolInput()
twin = "tensor_where_ok"
