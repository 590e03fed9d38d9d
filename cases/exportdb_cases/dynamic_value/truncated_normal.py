import torch


class TruncatedNormal(torch.nn.Module):
    """`nn.init.trunc_normal_` draws again what lies outside the bounds."""

    def forward(self, x):
        noise = torch.empty(3, 2)
        torch.nn.init.trunc_normal_(noise)
        return x + 0 * noise


example_args = (torch.randn(3, 2),)
tags = {"torch.dynamic-value"}
model = TruncatedNormal()
