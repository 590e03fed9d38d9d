import torch


class IndexListByItem(torch.nn.Module):
    """A Python list wants a known number: one from `.item()` is not."""

    def __init__(self):
        super().__init__()
        self.scales = [0.5, 1.0, 2.0]

    def forward(self, x):
        return x * self.scales[x.argmax().item()]


example_args = (torch.randn(3),)
tags = {"torch.dynamic-value", "python.data-structure"}
model = IndexListByItem()
twin = "index_list_by_tensor_ok"
