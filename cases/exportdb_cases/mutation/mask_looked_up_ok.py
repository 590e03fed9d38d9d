import torch


class MaskLookedUpOk(torch.nn.Module):
    """A mask that is looked up by its size, and made where it is not there: each call uses the same one."""

    def __init__(self):
        super().__init__()
        self.masks = {}

    def forward(self, x):
        size = x.shape[-1]
        mask = self.masks.get(size)
        if mask is None:
            rows = torch.arange(size)
            mask = rows[:, None] < rows[None, :]
            self.masks[size] = mask
        return x.masked_fill(mask, 0.0)


example_args = (torch.randn(2, 4, 4),)
tags = {"python.object-model"}
model = MaskLookedUpOk()
