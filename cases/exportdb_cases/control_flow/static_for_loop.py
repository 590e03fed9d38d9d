import torch


class StaticForLoop(torch.nn.Module):
    """A loop over a constant number of steps is unrolled."""

    def forward(self, x):
        results = []
        for step in range(4):
            results.append(x * step)
        return results


example_args = (torch.randn(3, 2),)
tags = {"python.control-flow"}
model = StaticForLoop()
exportdb_case = "static_for_loop"
