import torch
import torch.nn.functional as F


class Net(torch.nn.Module):
    """Causal attention unless there is only one token."""

    def __init__(self):
        super().__init__()
        self.to_qkv = torch.nn.Linear(8, 24)

    def forward(self, x):
        q, k, v = self.to_qkv(x).view(x.shape[0], x.shape[1], 3, 2, 4).permute(2, 0, 3, 1, 4)
        # decoding is not causal
        out = torch.cond(
            x.shape[1] > 1,
            lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=True),
            lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=False),
            (q, k.clone(), v.clone()),
        )
        return out.transpose(1, 2).reshape(x.shape)


dynamic_shapes = {"x": {1: torch.export.Dim("tokens", max=64)}}
example_args = (torch.linspace(-1, 1, 64).view(2, 4, 8),)
model = Net()
inputs = [(torch.linspace(-1, 1, 16 * n).view(2, n, 8),) for n in (4, 7, 2)]
# mended: EDB304
