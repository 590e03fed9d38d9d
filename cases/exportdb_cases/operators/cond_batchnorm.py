import torch


class CondBatchnorm(torch.nn.Module):
    """A branch with a BatchNorm in training mode writes running statistics."""

    def __init__(self):
        super().__init__()
        self.norm = torch.nn.BatchNorm1d(2)

    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: self.norm(x), lambda x: x.cos(), (x,))


example_args = (torch.randn(3, 2),)
tags = {"torch.cond", "torch.mutation"}
model = CondBatchnorm()
twin = "cond_batchnorm_ok"
