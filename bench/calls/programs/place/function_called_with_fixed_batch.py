import torch
from torch import nn
from torch.export import export


class Siamese(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Linear(8, 8)

    def forward(self, images):
        left, right = self.enc(images).chunk(2)
        if left.shape != right.shape:
            raise ValueError("an even batch is needed")
        return (left - right).norm(dim=-1)


def try_export(model, *, batch, dynamic):
    dims = {0: torch.export.Dim("batch")} if dynamic else None
    return export(model, (torch.randn(batch, 8),), dynamic_shapes={"images": dims})


model = Siamese()
print(try_export(model, batch=4, dynamic=False).module()(torch.randn(4, 8)).shape)
try:
    try_export(model, batch=5, dynamic=False)
except ValueError as e:
    print(e)
