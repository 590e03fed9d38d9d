import torch


class TensorResized(torch.nn.Module):
    """`resize_` of a tensor."""

    def forward(self, x):
        y = torch.empty(0)
        return x + y.resize_(3, 2).fill_(1.0)


example_args = (torch.randn(3, 2),)
tags = {"torch.operator"}
model = TensorResized()
twin = "tensor_resized_ok"
