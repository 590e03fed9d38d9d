import torch


class NonzeroStack(torch.nn.Module):
    """Masking and then reshaping by a fixed count."""

    def forward(self, x):
        return x[x != 0].reshape(2, -1)


example_args = (torch.randn(4, 2),)
tags = {"torch.dynamic-value"}
model = NonzeroStack()
twin = "mask_ok"
