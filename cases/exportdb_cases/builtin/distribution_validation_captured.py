import torch


class DistributionValidationCaptured(torch.nn.Module):
    """Within `torch.cond`, the checks that a distribution makes of its arguments do not keep it from being exported."""

    def forward(self, x):
        def near(x):
            return torch.distributions.Normal(x, x.exp()).log_prob(x + 1)

        return torch.cond(x.norm() < 2, near, lambda x: x.sin(), (x,))


example_args = (torch.randn(3, 2),)
tags = {"torch.dynamic-value", "torch.cond"}
model = DistributionValidationCaptured()
twin = "distribution_validation_ok"
