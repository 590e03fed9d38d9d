import torch
from torch.export import Dim, export


class Tokens(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = torch.nn.Embedding(100, 32)

    def forward(self, ids):
        return self.emb(ids).view(2, 10, 4, 8).transpose(1, 2)


ids = torch.randint(0, 100, (2, 10))
spec = []
for axis, size in enumerate(ids.shape):
    spec.append(Dim.AUTO if size > 4 else Dim.STATIC)
program = export(Tokens(), (ids,), dynamic_shapes=(spec,))
print(program.graph_signature.user_outputs)
