import torch
from torch import nn
from torch.export import Dim, export


class Fuse(nn.Module):
    def forward(self, image, depth=None):
        if depth is None:
            return image.mean(1)
        return torch.cat([image, depth], 1).mean(1)


args = {"image": torch.randn(2, 3, 4, 4)}
args["depth"] = torch.randn(2, 1, 4, 4)
batch = Dim("batch")
ok = export(Fuse(), (), kwargs=args, dynamic_shapes={"image": {0: batch}, "depth": {0: batch}})
print(len(ok.range_constraints))
args["depth"] = args["depth"][:, :, :3]
export(Fuse(), args=(), kwargs=args, dynamic_shapes={"image": {0: batch}, "depth": {0: batch}})
