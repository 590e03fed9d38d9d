import torch
from torch.export import Dim, export


class Bilinear(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.w = torch.nn.Parameter(torch.randn(6, 6))

    def forward(self, left, right):
        return ((left @ self.w) * right).sum(-1)


shapes = dict.fromkeys(["left", "right"])
rows = Dim("rows")
shapes.update(left={0: rows})
shapes["right"] = {0: rows, 1: Dim("width")}
try:
    export(Bilinear(), (torch.randn(4, 6), torch.randn(4, 6)), dynamic_shapes=shapes)
except Exception as e:
    print(f"failed: {type(e).__name__}")
else:
    print("fine")
