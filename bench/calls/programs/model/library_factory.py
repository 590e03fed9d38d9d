import torch
from torch import nn
from torch.export import Dim, export


def tiny_transformer(norm_first):
    layer = nn.TransformerEncoderLayer(16, 2, 32, dropout=0.0, batch_first=True, norm_first=norm_first)
    return nn.TransformerEncoder(layer, num_layers=1, enable_nested_tensor=False).eval()


tokens = torch.randn(2, 7, 16)
ep = export(tiny_transformer(norm_first=True), (tokens,), dynamic_shapes={"src": {1: Dim("t", max=64)}})
print(ep.module()(torch.randn(2, 9, 16)).shape)
