import torch


class ScatterIntMax(torch.nn.Module):
    """The number of groups is the largest index and one."""

    def forward(self, x, index):
        groups = int(index.max()) + 1
        return x.new_zeros(groups).index_add(0, index, x)


example_args = (torch.randn(4), torch.tensor([0, 1, 2, 1]))
extra_inputs = [(torch.randn(4), torch.tensor([2, 1, 0, 1]))]
tags = {"torch.dynamic-value", "python.builtin"}
model = ScatterIntMax()
twin = "scatter_given_ok"
