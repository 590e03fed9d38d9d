import torch


class SliceAssignByTensorOk(torch.nn.Module):
    """A mask made by comparing positions with the lengths."""

    def forward(self, x, lengths):
        mask = torch.arange(8) < lengths.unsqueeze(1)
        return x.masked_fill(mask, 0.0)


example_args = (torch.randn(2, 8), torch.tensor([3, 5]))
tags = {"torch.dynamic-value"}
model = SliceAssignByTensorOk()
