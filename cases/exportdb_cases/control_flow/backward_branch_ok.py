import torch


class Swish(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * torch.sigmoid(x)

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        start = x.detach().requires_grad_()
        sigmoid = torch.sigmoid(start)
        return grad.clamp(-10, 10) * (sigmoid + start * sigmoid * (1 - sigmoid))


class BackwardBranchOk(torch.nn.Module):
    """The `backward` of an autograd Function in operators alone."""

    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)

    def forward(self, x):
        return Swish.apply(self.linear(x))


example_args = (torch.randn(2, 4),)
tags = {"python.control-flow"}
model = BackwardBranchOk()
