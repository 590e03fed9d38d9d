import torch


class NumpyOfTensorCaptured(torch.nn.Module):
    """Within `torch.cond`, operations on an array are captured in both modes."""

    def forward(self, x):
        def near(x):
            return torch.from_numpy(x.detach().numpy() * 2)

        return torch.cond(x.norm() < 2, near, lambda x: x.sin(), (x,))


example_args = (torch.randn(3, 2),)
tags = {"torch.dynamic-value", "torch.cond"}
model = NumpyOfTensorCaptured()
