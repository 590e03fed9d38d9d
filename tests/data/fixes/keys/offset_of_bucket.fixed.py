import torch


class Net(torch.nn.Module):
    """Integers picked by an integer; a bucket that is unknown is refused, as the dict refused it."""

    OFFSETS = {1: 10, 3: -30, 7: 70}

    def forward(self, x, bucket):
        b = bucket.item()
        found = torch.tensor([*self.OFFSETS], dtype=torch.int64) == b
        torch._assert_async(found.any(), "no such key")
        moved = x + torch.tensor([*self.OFFSETS.values()])[found.int().argmax(0, keepdim=True)].squeeze(0)
        return moved.relu()


inputs = [(torch.ones(3), torch.tensor(3)), (torch.ones(3), torch.tensor(7)), (torch.ones(3), torch.tensor(2))]
# mended: EDB306
