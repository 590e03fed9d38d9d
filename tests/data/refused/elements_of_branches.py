import torch


class Net(torch.nn.Module):
    """One side also returns what it computed on the way, which nobody reads."""

    def __init__(self):
        super().__init__()
        self.near = torch.nn.Linear(4, 4)
        self.far = torch.nn.Linear(4, 4)

    def forward(self, x):
        def near(x):
            h = self.near(x)
            return h.sigmoid(), h  # with its logits

        result = torch.cond(x.norm() < 2, near, lambda x: (self.far(x).sigmoid(),), (x,))
        return result[0] * 2, result[0].sum(-1)


inputs = [(torch.full((3, 4), 0.1),), (torch.full((3, 4), 3.0),)]
# refused: 17 branches-differ
