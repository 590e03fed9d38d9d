import torch


class Net(torch.nn.Module):
    """Rows longer than the data's own limit; where there is none, both raise."""

    def forward(self, x, limit):
        keep = torch.vmap(lambda r: r.norm() > limit)(x).reshape(-1)
        torch._assert_async(keep.any(), "no row is kept")
        far = x[keep]
        return far.max(0).values + x.mean(0)


inputs = [
    (torch.tensor([[1.0, 2.0], [-1.0, -3.0], [2.0, 4.0]]), torch.tensor(3.0)),
    (torch.ones(3, 2), torch.tensor(3.0)),
    (torch.ones(3, 2), torch.tensor(1.0)),
]
# mended: EDB101
