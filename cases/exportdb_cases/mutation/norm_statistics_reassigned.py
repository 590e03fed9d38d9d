import torch


class NormStatisticsReassigned(torch.nn.BatchNorm1d):
    """A buffer that the class has from torch, and that `forward` assigns."""

    def forward(self, x):
        self.running_mean = 0.9 * self.running_mean + 0.1 * x.mean(0)
        return x - self.running_mean


example_args = (torch.randn(4, 3),)
tags = {"torch.mutation", "python.object-model"}
model = NormStatisticsReassigned(3)
twin = "buffer_in_place_ok"
