import torch


class ChunkOfCatNamed(torch.nn.Module):
    """Two batches joined and cut in two again: export does not see that there are two parts for every size of a named Dim."""

    def forward(self, x):
        given, empty = torch.cat([x.sin(), x.cos()]).chunk(2)
        return empty + 3.0 * (given - empty)


example_args = (torch.randn(4, 2),)
extra_inputs = [(torch.randn(6, 2),)]
dynamic_shapes = {"x": {0: torch.export.Dim("batch")}}
tags = {"torch.dynamic-shape"}
model = ChunkOfCatNamed()
