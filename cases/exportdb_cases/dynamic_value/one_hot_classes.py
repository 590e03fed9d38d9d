import torch


class OneHotClasses(torch.nn.Module):
    """`one_hot` without the number of classes looks for it in the data."""

    def forward(self, labels):
        return torch.nn.functional.one_hot(labels)


example_args = (torch.tensor([0, 1, 2, 1]),)
extra_inputs = [(torch.tensor([2, 1, 0, 0]),), (torch.tensor([1, 1, 2, 0]),), (torch.tensor([0, 2, 2, 2]),)]
tags = {"torch.dynamic-value"}
model = OneHotClasses()
twin = "one_hot_classes_ok"
