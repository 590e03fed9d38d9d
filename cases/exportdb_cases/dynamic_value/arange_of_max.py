import torch


class ArangeOfMax(torch.nn.Module):
    """`torch.arange` up to a tensor's maximum: the mask of a padded batch."""

    def forward(self, lengths):
        steps = torch.arange(lengths.max())
        return steps < lengths.unsqueeze(1)


example_args = (torch.tensor([3, 5, 2]),)
tags = {"torch.dynamic-value"}
model = ArangeOfMax()
twin = "arange_of_max_ok"
