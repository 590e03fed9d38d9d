import torch


class TgtMaskIsCausalOk(torch.nn.Module):
    """`tgt_is_causal` says it."""

    def __init__(self):
        super().__init__()
        self.decoder = torch.nn.TransformerDecoder(torch.nn.TransformerDecoderLayer(4, 2, dropout=0.0), 1)

    def forward(self, x, memory):
        mask = torch.nn.Transformer.generate_square_subsequent_mask(x.size(0))
        return self.decoder(x, memory, mask, tgt_is_causal=True)


example_args = (torch.randn(5, 2, 4), torch.randn(3, 2, 4))
tags = {"torch.dynamic-value"}
model = TgtMaskIsCausalOk()
