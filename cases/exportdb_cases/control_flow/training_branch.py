import torch


class TrainingBranch(torch.nn.Module):
    """A data-dependent branch that only training mode runs, in a model that nobody puts into eval mode."""

    def forward(self, x):
        if self.training:
            if x.sum() > 0:
                x = x * 2
        return x


example_args = (torch.randn(3, 2),)
tags = {"python.control-flow"}
model = TrainingBranch()
