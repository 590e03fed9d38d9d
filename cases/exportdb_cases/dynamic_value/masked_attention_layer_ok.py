import torch


class MaskedAttentionLayerOk(torch.nn.Module):
    """An attention layer over the tokens that a mask picks, attending to themselves."""

    def __init__(self):
        super().__init__()
        self.layer = torch.nn.MultiheadAttention(8, 2)

    def forward(self, x):
        tokens = x[x[:, 0] > 0]
        return self.layer(tokens, tokens, tokens)[0]


example_args = (torch.randn(6, 8),)
tags = {"torch.dynamic-value", "torch.operator"}
model = MaskedAttentionLayerOk()
