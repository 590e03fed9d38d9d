import torch


class TrainingBranchOk(torch.nn.Module):
    """In eval mode, a branch that only training mode runs is not traced."""

    def forward(self, x):
        if self.training:
            if x.sum() > 0:
                x = x * 2
        return x


example_args = (torch.randn(3, 2),)
tags = {"python.control-flow"}
model = TrainingBranchOk().eval()
