import torch


class ConstantTensorIf(torch.nn.Module):
    """A branch on a tensor that tracing made of a plain number: strict export does not read it back."""

    def forward(self, x):
        count = torch.tensor(x.shape[0])
        if count > 2:
            return x * 2
        return x


example_args = (torch.randn(3, 2),)
tags = {"torch.dynamic-value", "python.control-flow"}
model = ConstantTensorIf()
