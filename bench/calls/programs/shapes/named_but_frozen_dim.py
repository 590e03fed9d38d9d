import torch
from torch.export import Dim, export


class Classifier(torch.nn.Module):
    def __init__(self, batch_size):
        super().__init__()
        self.register_buffer("offsets", torch.arange(batch_size, dtype=torch.float32)[:, None])
        self.fc = torch.nn.Linear(10, 3)

    def forward(self, x):
        return self.fc(x) + self.offsets


batch_size = 1
args = (torch.randn(4, 10),)
ep = export(Classifier(batch_size), args, dynamic_shapes=({0: Dim("batch")},))
print(ep.module()(torch.randn(6, 10)).shape)
