import torch


class Net(torch.nn.Module):
    """The scale of the first batch is kept for all later ones."""

    def __init__(self):
        super().__init__()
        self.scale = None
        self.layer = torch.nn.Linear(4, 4)

    def forward(self, x):
        # the first batch decides
        if self.scale is None:
            self.scale = x.abs().max()  # once
        return self.layer(x / self.scale)


inputs = [(torch.ones(2, 4),), (torch.ones(2, 4) * 3,), (torch.ones(2, 4) * 2,)]
# refused: 15 state-initial-value
