import torch


class Cosine(torch.nn.Module):
    def forward(self, x):
        return x.cos()


class CondBranchClassMethod(torch.nn.Module):
    """Branches of `torch.cond` may be methods."""

    def __init__(self):
        super().__init__()
        self.other = Cosine()

    def sine(self, x):
        return x.sin()

    def forward(self, x):
        return torch.cond(x.sum() <= 2, self.other.forward, self.sine, [x])


example_args = (torch.randn(3),)
tags = {"torch.cond", "python.object-model"}
model = CondBranchClassMethod()
exportdb_case = "cond_branch_class_method"
