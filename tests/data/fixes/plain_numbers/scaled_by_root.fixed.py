import math

import torch


class Net(torch.nn.Module):
    """A norm and an entropy by way of Python's own functions."""

    def forward(self, x):
        energy = (x * x).sum().item()
        # as the paper has it
        number = torch.full((), energy, dtype=torch.float64)
        torch._assert_async(~(number < 0), "math domain error")
        norm = number.sqrt().item()
        number_2 = torch.full((), energy + 1, dtype=torch.float64)
        torch._assert_async(~(number_2 <= 0), "math domain error")
        number_3 = torch.full((), x.mean().item(), dtype=torch.float64)
        bits = number_2.log2().item() + number_3.tanh().item()
        return x / (norm + 1e-6) * bits


inputs = [(torch.ones(3, 2),), (-torch.ones(3, 2) * 5,), (torch.zeros(3, 2),)]
# mended: EDB203
