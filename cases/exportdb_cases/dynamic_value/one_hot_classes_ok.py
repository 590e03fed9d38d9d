import torch


class OneHotClassesOk(torch.nn.Module):
    """The number of classes is given."""

    def forward(self, labels):
        return torch.nn.functional.one_hot(labels, 3)


example_args = (torch.tensor([0, 1, 2, 1]),)
tags = {"torch.dynamic-value"}
model = OneHotClassesOk()
