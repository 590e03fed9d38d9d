import torch


class RepeatInterleaveIf(torch.nn.Module):
    """Asking whether `repeat_interleave` gave anything."""

    def forward(self, x, counts):
        y = torch.repeat_interleave(x, counts)
        if y.shape[0] == 0:
            return x.sum()
        return y.sum()


example_args = (torch.randn(3), torch.tensor([1, 2, 1]))
tags = {"torch.dynamic-value", "python.control-flow"}
model = RepeatInterleaveIf()
twin = "repeat_interleave_ok"
