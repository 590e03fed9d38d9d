import torch


class MaskIsCausalOk(torch.nn.Module):
    """`is_causal` says it."""

    def __init__(self):
        super().__init__()
        self.encoder = torch.nn.TransformerEncoder(torch.nn.TransformerEncoderLayer(4, 2, dropout=0.0), 1)

    def forward(self, x):
        mask = torch.triu(torch.ones(x.size(0), x.size(0)), 1).bool()
        return self.encoder(x, mask, is_causal=False)


example_args = (torch.randn(5, 2, 4),)
tags = {"torch.dynamic-value"}
model = MaskIsCausalOk()
