import torch


class Net(torch.nn.Module):
    """Integers picked by an integer; a bucket that is unknown is refused, as the dict refused it."""

    OFFSETS = {1: 10, 3: -30, 7: 70}

    def forward(self, x, bucket):
        b = bucket.item()
        moved = x + self.OFFSETS[b]
        return moved.relu()


inputs = [(torch.ones(3), torch.tensor(3)), (torch.ones(3), torch.tensor(7)), (torch.ones(3), torch.tensor(2))]
# refused: 11 lookup-by-size
