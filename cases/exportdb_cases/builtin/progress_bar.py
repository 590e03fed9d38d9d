import torch
from tqdm import tqdm


class ProgressBar(torch.nn.Module):
    """A bar of tqdm around a loop: Dynamo will not trace the making of it; non-strict unrolls the loop and prints the bar."""

    def forward(self, x):
        for step in tqdm(range(3), disable=True):
            x = x + step
        return x


example_args = (torch.randn(3),)
tags = {"python.standard-library", "python.control-flow"}
model = ProgressBar()
