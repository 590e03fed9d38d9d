import torch


class SliceAssignByTensor(torch.nn.Module):
    """Writing into a slice whose bound is a tensor itself."""

    def forward(self, x, lengths):
        mask = torch.zeros(x.shape[0], 8, dtype=torch.bool)
        for i in range(x.shape[0]):
            mask[i, : lengths[i]] = True
        return x.masked_fill(mask, 0.0)


example_args = (torch.randn(2, 8), torch.tensor([3, 5]))
tags = {"torch.mutation", "torch.dynamic-value"}
model = SliceAssignByTensor()
