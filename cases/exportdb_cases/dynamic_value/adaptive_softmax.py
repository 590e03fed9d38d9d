import torch


class AdaptiveSoftmax(torch.nn.Module):
    """`nn.AdaptiveLogSoftmaxWithLoss` selects the rows of each cluster by the values of the targets."""

    def __init__(self):
        super().__init__()
        self.softmax = torch.nn.AdaptiveLogSoftmaxWithLoss(4, 10, [2, 5])

    def forward(self, x, target):
        return self.softmax(x, target).loss


example_args = (torch.randn(3, 4), torch.tensor([1, 3, 9]))
tags = {"torch.dynamic-value"}
model = AdaptiveSoftmax()
