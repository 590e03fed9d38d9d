import torch
from tqdm import tqdm


class ProgressBarOk(torch.nn.Module):
    """While export traces, nobody looks at the bar."""

    def forward(self, x):
        steps = range(3)
        for step in steps if torch.compiler.is_compiling() else tqdm(steps, disable=True):
            x = x + step
        return x


example_args = (torch.randn(3),)
tags = {"python.control-flow"}
model = ProgressBarOk()
