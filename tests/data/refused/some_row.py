import torch


class Net(torch.nn.Module):
    """Rows longer than the data's own limit; where there is none, both raise."""

    def forward(self, x, limit):
        far = [r for r in x if r.norm() > limit]
        return torch.stack(far).max(0).values + x.mean(0)


inputs = [
    (torch.tensor([[1.0, 2.0], [-1.0, -3.0], [2.0, 4.0]]), torch.tensor(3.0)),
    (torch.ones(3, 2), torch.tensor(3.0)),
    (torch.ones(3, 2), torch.tensor(1.0)),
]
# refused: 8 loop-results
