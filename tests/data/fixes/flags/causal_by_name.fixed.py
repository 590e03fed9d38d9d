import torch


class Net(torch.nn.Module):
    """Causal where there is more than a token."""

    def forward(self, x):
        is_causal = x.shape[1] > 1
        return torch.cond(
            is_causal,
            lambda x: torch.nn.functional.scaled_dot_product_attention(x, x, x, is_causal=True),
            lambda x: torch.nn.functional.scaled_dot_product_attention(x, x, x, is_causal=False),
            (x,),
        ) + 1


dynamic_shapes = {"x": {1: torch.export.Dim.DYNAMIC}}
example_args = (torch.linspace(-1, 1, 64).view(2, 4, 8),)
model = Net()
inputs = [(torch.linspace(-1, 1, 16 * n).view(2, n, 8),) for n in (4, 7, 2)]
# mended: EDB304
