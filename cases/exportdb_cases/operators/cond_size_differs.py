import torch


class CondSizeDiffers(torch.nn.Module):
    """Branches whose results differ in one size: newer versions make that size unbacked."""

    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: x[:2].sin(), lambda x: x.cos(), (x,)).sum(0)


example_args = (torch.randn(4, 2),)
tags = {"torch.cond", "torch.dynamic-shape"}
model = CondSizeDiffers()
twin = "cond_rank_differs_ok"
issues = (
    "https://github.com/pytorch/pytorch/issues/145734",
    "https://github.com/pytorch/pytorch/pull/137615",
)
