import torch


class Swish(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * torch.sigmoid(x)

    @staticmethod
    def backward(ctx, grad):
        x = ctx.saved_variables[0]
        sigmoid = torch.sigmoid(x)
        return grad * (sigmoid + x * sigmoid * (1 - sigmoid))


class SavedVariables(torch.nn.Module):
    """`ctx.saved_variables`, the old name of `saved_tensors`, in the `backward` of an autograd Function."""

    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)

    def forward(self, x):
        return Swish.apply(self.linear(x))


example_args = (torch.randn(2, 4),)
tags = {"python.control-flow"}
model = SavedVariables()
twin = "backward_branch_ok"
