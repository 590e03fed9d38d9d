import torch


class TensorAssertCaptured(torch.nn.Module):
    """Within `torch.cond`, an assert on a tensor becomes a runtime assert in both modes."""

    def forward(self, x):
        def near(x):
            assert x.abs().max() < 100
            return x.cos()

        return torch.cond(x.norm() < 2, near, lambda x: x.sin(), (x,))


example_args = (torch.randn(3, 2),)
tags = {"python.assert", "torch.cond"}
model = TensorAssertCaptured()
