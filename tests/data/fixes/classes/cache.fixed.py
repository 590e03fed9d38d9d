"""The cache of a decoder, a class of its own, goes out with the tokens."""

import torch
from torch import nn


class LayerCache:
    """Keys and values so far."""

    def __init__(self, keys, values):
        self.keys = keys
        self.values = values

    def length(self):
        return self.keys.shape[1]


torch.utils._pytree.register_pytree_node(
    LayerCache,
    lambda layer_cache: ([layer_cache.keys, layer_cache.values], None),
    lambda values, _: LayerCache(*values),
    serialized_type_name="program.LayerCache",
    flatten_with_keys_fn=lambda layer_cache: ([(torch.utils._pytree.GetAttrKey("keys"), layer_cache.keys), (torch.utils._pytree.GetAttrKey("values"), layer_cache.values)], None),
)



class Net(nn.Module):
    def __init__(self, width=4):
        super().__init__()
        self.q = nn.Linear(width, width)
        self.kv = nn.Linear(width, 2 * width)

    def forward(self, x):
        keys, values = self.kv(x).chunk(2, dim=-1)
        weights = (self.q(x) @ keys.transpose(1, 2)).softmax(-1)
        return weights @ values, LayerCache(keys.contiguous(), values.contiguous())


inputs = [(torch.linspace(-1, k, 24).view(2, 3, 4),) for k in (1.0, 4.0)]
# mended: EDB701
