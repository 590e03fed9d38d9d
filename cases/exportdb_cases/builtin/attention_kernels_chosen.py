import torch


class AttentionKernelsChosen(torch.nn.Module):
    """The old context manager that chooses attention kernels: strict export cannot enter it."""

    def forward(self, x):
        with torch.backends.cuda.sdp_kernel(enable_flash=False):
            return torch.nn.functional.scaled_dot_product_attention(x, x, x)


example_args = (torch.randn(1, 3, 2),)
tags = {"python.context-manager"}
model = AttentionKernelsChosen()
