import torch


class ArangeOfMaxOk(torch.nn.Module):
    """The padded length is the size of another input."""

    def forward(self, lengths, x):
        steps = torch.arange(x.shape[1])
        return steps < lengths.unsqueeze(1)


example_args = (torch.tensor([3, 5, 2]), torch.randn(3, 5))
tags = {"torch.dynamic-value"}
model = ArangeOfMaxOk()
