import torch


class SparseCreatedOk(torch.nn.Module):
    """The product with a sparse matrix, by rows."""

    def forward(self, indices, values, x):
        return torch.zeros_like(x).index_add(0, indices[0], values[:, None] * x[indices[1]])


example_args = (torch.tensor([[0, 1, 2], [1, 2, 0]]), torch.randn(3), torch.randn(3, 2))
tags = {"torch.operator"}
model = SparseCreatedOk()
