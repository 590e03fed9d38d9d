import torch


class ViewSolvedByTensor(torch.nn.Module):
    """A tensor as a size of a view whose other sizes leave only one value for it."""

    def forward(self, x, n):
        return x.view(n, 2, 8)


example_args = (
    torch.randn(4, 8),
    torch.tensor(2),
)
tags = {"torch.dynamic-value"}
model = ViewSolvedByTensor()
twin = "view_solved_by_tensor_ok"
