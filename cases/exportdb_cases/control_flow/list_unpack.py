import torch


class ListUnpack(torch.nn.Module):
    """Unpacking a list of inputs is done while tracing."""

    def forward(self, tensors):
        first, *rest = tensors
        return first + rest[0]


example_args = ([torch.randn(3, 2), torch.tensor(4.0), torch.tensor(5.0)],)
tags = {"python.control-flow", "python.data-structure"}
model = ListUnpack()
exportdb_case = "list_unpack"
