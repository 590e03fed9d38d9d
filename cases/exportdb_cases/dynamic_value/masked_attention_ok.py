import torch


class MaskedAttentionOk(torch.nn.Module):
    """Attention over all tokens with the mask as an argument."""

    def forward(self, x, keep):
        tokens = x.unsqueeze(0).unsqueeze(0)
        return torch.nn.functional.scaled_dot_product_attention(
            tokens, tokens, tokens, attn_mask=keep.view(1, 1, 1, -1)
        )


example_args = (torch.randn(6, 8), torch.tensor([True, True, False, True, True, False]))
extra_inputs = [(torch.randn(6, 8), torch.tensor([True, False, False, True, True, True]))]
tags = {"torch.dynamic-value"}
model = MaskedAttentionOk()
