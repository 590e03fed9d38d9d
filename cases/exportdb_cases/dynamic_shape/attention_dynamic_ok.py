import torch


class AttentionDynamicOk(torch.nn.Module):
    """Attention over a dynamic length."""

    def __init__(self):
        super().__init__()
        self.attention = torch.nn.MultiheadAttention(8, 2, batch_first=True)

    def forward(self, x):
        return self.attention(x, x, x, need_weights=False)[0]


example_args = (torch.randn(2, 6, 8),)
dynamic_shapes = {"x": {1: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape"}
model = AttentionDynamicOk()
