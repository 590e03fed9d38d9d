import torch


class SrcMaskIsCausal(torch.nn.Module):
    """`nn.Transformer` compares its masks with a causal one, to find whether they are one."""

    def __init__(self):
        super().__init__()
        self.transformer = torch.nn.Transformer(4, 2, 1, 1, 8, dropout=0.0)

    def forward(self, x, y):
        mask = self.transformer.generate_square_subsequent_mask(x.size(0))
        return self.transformer(x, y, src_mask=mask)


example_args = (torch.randn(5, 2, 4), torch.randn(3, 2, 4))
tags = {"torch.dynamic-value"}
model = SrcMaskIsCausal()
