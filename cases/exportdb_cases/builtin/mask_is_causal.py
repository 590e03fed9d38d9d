import torch


class MaskIsCausal(torch.nn.Module):
    """`nn.TransformerEncoder` compares its mask with a causal one, to find whether it is one."""

    def __init__(self):
        super().__init__()
        self.encoder = torch.nn.TransformerEncoder(torch.nn.TransformerEncoderLayer(4, 2, dropout=0.0), 1)

    def forward(self, x):
        mask = torch.triu(torch.ones(x.size(0), x.size(0)), 1).bool()
        return self.encoder(x, mask)


example_args = (torch.randn(5, 2, 4),)
tags = {"torch.dynamic-value"}
model = MaskIsCausal()
