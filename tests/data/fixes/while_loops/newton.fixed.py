"""Newton's method for a root, which writes its guess in place."""

import torch
from torch import nn
from torch._higher_order_ops.while_loop import while_loop


class Net(nn.Module):
    def forward(self, x):
        square = x.abs().sum() + 1

        def far(guess, rounds):
            return ((guess * guess - square).abs() > 1e-3) & (rounds < 20)

        def nearer(guess, rounds):
            guess = guess.clone()
            guess.add_(square / guess)
            guess.mul_(0.5)  # half way
            return guess, rounds + 1

        guess, rounds = while_loop(far, nearer, (square * 0.5, torch.zeros((), dtype=torch.int64)))
        return guess, rounds, x / guess


inputs = [(torch.linspace(-1, k, 6).view(2, 3),) for k in (1.0, 9.0)]
# mended: EDB605
