import torch


class Net(torch.nn.Module):
    """Query, key and value are parts of one tensor: the operator takes no two of them as they are."""

    def __init__(self):
        super().__init__()
        self.qkv = torch.nn.Linear(4, 12)

    def forward(self, x, mask):
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        if mask.any():
            y = q.softmax(-1) * k
        else:
            y = q.relu() * v
        first, second = y.view(2, 2, 4).unbind(1)
        if y.mean() > 0:
            first = first + second
        else:
            first = first * second
        return first, second


inputs = [
    (torch.ones(4, 4), torch.tensor([True, False])),
    (torch.ones(4, 4), torch.tensor([False, False])),
    (-torch.ones(4, 4), torch.tensor([True, False])),
    (-torch.ones(4, 4), torch.tensor([False, False])),
]
# mended: EDB101
