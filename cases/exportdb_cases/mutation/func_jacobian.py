import torch


class FuncJacobian(torch.nn.Module):
    """`torch.func.jacrev` runs autograd on tensors that have no storage while tracing."""

    def forward(self, x):
        return torch.func.jacrev(torch.sin)(x)


example_args = (torch.randn(3),)
tags = {"torch.mutation"}
model = FuncJacobian()
