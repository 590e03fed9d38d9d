"""A temperature that comes in as a tensor, on a scale of logarithms."""

import math

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x, temperature: torch.Tensor, step):
        number = temperature.double()
        torch._assert_async(~(number <= 0), "math domain error")
        scale = number.log().item() + 1.0
        number_2 = torch.full((), -step.item() / 10, dtype=torch.float64)
        torch._assert_async(~(number_2 > 709.78), "math range error")
        decay = number_2.exp().item()
        number_3 = x.pow(2).mean().double()
        torch._assert_async(~(number_3 < 0), "math domain error")
        spread = number_3.sqrt().item()
        return (x * scale) * decay / (spread + 1e-5)


x = torch.linspace(-2, 2, 6).view(2, 3)
inputs = [(x, torch.tensor(2.0), torch.tensor(5)), (x.flip(0) * 3, torch.tensor([0.25]), torch.tensor(0))]
# mended: EDB203
