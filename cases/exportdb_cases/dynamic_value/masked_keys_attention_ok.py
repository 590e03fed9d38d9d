import torch


class MaskedKeysAttentionOk(torch.nn.Module):
    """Attention with a mask over all keys."""

    def forward(self, x, keep):
        return torch.nn.functional.scaled_dot_product_attention(x, x, x, attn_mask=keep.expand(x.shape[2], -1))


example_args = (torch.randn(2, 3, 4, 8), torch.tensor([True, True, False, True]))
tags = {"torch.dynamic-value"}
model = MaskedKeysAttentionOk()
