"""Elements, columns and crops at positions that data decides."""

import torch
from torch import nn


# exportdb: args=(torch.randn(2, 6, 5), torch.tensor([5, 2]), torch.tensor([0, 1, 3, 2]))
class Net(nn.Module):
    def forward(self, x, lengths, box):
        last = [x[i, (lengths[i] - 1).reshape(1)].squeeze(0) for i in range(x.size(0))]
        out = x.clone()
        for row in range(x.size(0)):
            end = lengths[row].item()
            out[row][end - 1] = 1.0
            out.select(1, end - 1)[:, 0] += 2.0
        y, x0, height, width = box.tolist()
        out.select(1, y)[...] = 0.5
        crop = x[:, y : y + height][:, :, x0 : x0 + width]
        return torch.stack(last), out, crop.mean((1, 2)), x[
            :, (lengths[0] - 1).reshape(1)
        ].squeeze(1)


inputs = [
    (torch.randn(2, 6, 5), torch.tensor([5, 2]), torch.tensor([0, 1, 3, 2])),
    (torch.randn(2, 6, 5), torch.tensor([6, 3]), torch.tensor([2, 0, 2, 4])),
]
# mended: EDB206
