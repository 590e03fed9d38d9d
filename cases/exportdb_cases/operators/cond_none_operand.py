import torch


class CondNoneOperand(torch.nn.Module):
    """None among the operands of `torch.cond`."""

    def forward(self, x, bias=None):
        def shifted(x, bias):
            return x.sin() if bias is None else x + bias

        return torch.cond(x.sum() > 0, shifted, lambda x, bias: x.cos(), (x, bias))


example_args = (torch.randn(3, 2),)
tags = {"torch.cond"}
model = CondNoneOperand()
twin = "cond_int_operand_ok"
