import torch


class TensorWhileNotDone(torch.nn.Module):
    """A loop that counts down to a tensor flag asks the flag in every turn."""

    def forward(self, x):
        done = torch.zeros((), dtype=torch.bool)
        while not done:
            x = x / 2
            done = x.abs().max() < 1
        return x


example_args = (torch.randn(3, 2) * 8,)
tags = {"python.control-flow", "torch.dynamic-value"}
model = TensorWhileNotDone()
twin = "tensor_while_ok"
