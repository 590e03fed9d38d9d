import torch


class MaskedAttention(torch.nn.Module):
    """Attention over tokens that a mask picked."""

    def forward(self, x, keep):
        tokens = x[keep].unsqueeze(0).unsqueeze(0)
        return torch.nn.functional.scaled_dot_product_attention(tokens, tokens, tokens)


example_args = (torch.randn(6, 8), torch.tensor([True, True, False, True, True, False]))
tags = {"torch.dynamic-value"}
model = MaskedAttention()
twin = "masked_attention_ok"
issues = ("https://github.com/pytorch/pytorch/issues/180202",)
