import torch


class TryExceptData(torch.nn.Module):
    """A handler for an error that depends on data: the handler is not in the graph."""

    def forward(self, x, i):
        try:
            return x[i.item()] * 1.0
        except IndexError:
            return x[0] * 2.0


example_args = (torch.randn(4), torch.tensor(2))
extra_inputs = [(torch.randn(4), torch.tensor(9))]
tags = {"python.control-flow", "torch.dynamic-value"}
model = TryExceptData()
twin = "index_item_ok"
