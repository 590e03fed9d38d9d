import torch
from torch.export import Dim, export


class Concat(torch.nn.Module):
    def forward(self, a, b, c):
        return torch.cat([a + b, c], dim=1)


args = tuple(torch.randn(4, 6) for _ in range(3))
dynamic = {name: {0: Dim(f"batch_{name}")} for name in "abc"}
try:
    export(Concat(), args, dynamic_shapes=dynamic)
    print("exported")
except torch._dynamo.exc.UserError as err:
    print("constraints:", type(err).__name__)
