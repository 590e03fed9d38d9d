import torch


class InterpolateByTensor(torch.nn.Module):
    """`F.interpolate` to a size that is in a tensor."""

    def forward(self, x, size):
        return torch.nn.functional.interpolate(x, size=(size[0], size[1]))


example_args = (torch.randn(1, 1, 4, 4), torch.tensor([8, 8]))
tags = {"torch.dynamic-value"}
model = InterpolateByTensor()
twin = "interpolate_scale_ok"
