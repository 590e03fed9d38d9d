import torch


class SparseCreated(torch.nn.Module):
    """A sparse tensor is made of indices and values: strict export does not trace its constructor."""

    def forward(self, indices, values, x):
        return torch.sparse.mm(torch.sparse_coo_tensor(indices, values, (3, 3)), x)


example_args = (torch.tensor([[0, 1, 2], [1, 2, 0]]), torch.randn(3), torch.randn(3, 2))
tags = {"torch.operator"}
model = SparseCreated()
