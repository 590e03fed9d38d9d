import torch


class TensorTypeIfOk(torch.nn.Module):
    """A branch on what `Tensor.type()` says, the name of a class of tensors, is decided while tracing."""

    def __init__(self):
        super().__init__()
        self.weights = torch.tensor([0.25, 0.75], dtype=torch.float64)

    def forward(self, x):
        weights = self.weights
        if weights.type() != x.type():
            weights = weights.type_as(x)
        return x * weights


example_args = (torch.randn(3, 2),)
tags = {"python.control-flow"}
model = TensorTypeIfOk()
