import torch


class ConstantTensorIfOk(torch.nn.Module):
    """The branch asks the plain number itself."""

    def forward(self, x):
        count = x.shape[0]
        if count > 2:
            return x * torch.tensor(count)
        return x


example_args = (torch.randn(3, 2),)
tags = {"torch.dynamic-value", "python.control-flow"}
model = ConstantTensorIfOk()
