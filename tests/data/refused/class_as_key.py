import torch


class Net(torch.nn.Module):
    """A factor for each class, looked up by the class that wins."""

    def __init__(self):
        super().__init__()
        self.scales = {0: 0.5, 1: 1.0, 2: 2.0}

    def forward(self, x):
        # the class decides
        return x * self.scales[x.argmax().item()] + 1


inputs = [(torch.tensor([3.0, 1.0, 2.0]),), (torch.tensor([1.0, 3.0, 2.0]),), (torch.tensor([1.0, 2.0, 3.0]),)]
# refused: 13 lookup-by-size
