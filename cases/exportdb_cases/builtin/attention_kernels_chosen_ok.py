import torch
import torch.nn.attention


class AttentionKernelsChosenOk(torch.nn.Module):
    """`torch.nn.attention.sdpa_kernel` does the same, and can be traced."""

    def forward(self, x):
        with torch.nn.attention.sdpa_kernel(torch.nn.attention.SDPBackend.MATH):
            return torch.nn.functional.scaled_dot_product_attention(x, x, x)


example_args = (torch.randn(1, 3, 2),)
tags = {"python.context-manager"}
model = AttentionKernelsChosenOk()
