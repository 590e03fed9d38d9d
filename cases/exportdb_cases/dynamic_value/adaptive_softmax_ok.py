import torch


class AdaptiveSoftmaxOk(torch.nn.Module):
    """The logarithms of all probabilities have a shape that is known."""

    def __init__(self):
        super().__init__()
        self.softmax = torch.nn.AdaptiveLogSoftmaxWithLoss(4, 10, [2, 5])

    def forward(self, x, target):
        return -self.softmax.log_prob(x).gather(1, target[:, None]).mean()


example_args = (torch.randn(3, 4), torch.tensor([1, 3, 9]))
tags = {"torch.dynamic-value"}
model = AdaptiveSoftmaxOk()
