import io

import torch
from torch import nn
from torch.export import Dim, export, load, save


class Lstm(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.LSTM(3, 5, batch_first=True)

    def forward(self, x):
        return self.rnn(x)[0]


x = torch.randn(2, 6, 3)
ep = export(Lstm(), (x,), dynamic_shapes=({0: Dim("b")},)).run_decompositions()
buffer = io.BytesIO()
save(ep, buffer)
buffer.seek(0)
print(load(buffer).module()(x).shape)
export(Lstm(), (x,), dynamic_shapes=({0: Dim("b"), 1: Dim("t", min=2, max=50)},))
print("dynamic time")
