import torch


class Net(torch.nn.Module):
    """The scale of the first batch is kept for all later ones."""

    def __init__(self):
        super().__init__()
        self.register_buffer(
            "scale", torch.zeros((), dtype=torch.float64), persistent=False
        )
        self.register_buffer("has_scale", torch.tensor(False), persistent=False)
        self.layer = torch.nn.Linear(4, 4)

    def forward(self, x):
        # the first batch decides
        self.scale.copy_(
            torch.where(self.has_scale, self.scale, x.abs().max().detach())
        )
        self.has_scale.fill_(True)  # once
        return self.layer(x / self.scale)


inputs = [(torch.ones(2, 4),), (torch.ones(2, 4) * 3,), (torch.ones(2, 4) * 2,)]
# mended: EDB401
