import torch


class MaskedKeysAttention(torch.nn.Module):
    """Attention to those keys that a mask picked."""

    def forward(self, x, keep):
        keys = x[:, :, keep]
        return torch.nn.functional.scaled_dot_product_attention(x, keys, keys)


example_args = (torch.randn(2, 3, 4, 8), torch.tensor([True, True, False, True]))
tags = {"torch.dynamic-value"}
model = MaskedKeysAttention()
