import math

import torch


class Net(torch.nn.Module):
    """A root that math refuses of a negative number, and the new code too."""

    def forward(self, x):
        number = torch.full((), x.sum().item(), dtype=torch.float64)
        torch._assert_async(~(number < 0), "math domain error")
        number_2 = torch.full((), x.max().item(), dtype=torch.float64)
        torch._assert_async(~(number_2 <= 0), "math domain error")
        return x * number.sqrt().item() + number_2.log().item()


inputs = [(torch.ones(3, 2),), (-torch.ones(3, 2),), (torch.zeros(3, 2),)]
# mended: EDB203
