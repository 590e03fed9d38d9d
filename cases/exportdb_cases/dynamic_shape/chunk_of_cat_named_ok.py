import torch


class ChunkOfCatNamedOk(torch.nn.Module):
    """`split` by a list of sizes has as many parts as the list."""

    def forward(self, x):
        n = x.shape[0]
        given, empty = torch.cat([x.sin(), x.cos()]).split([n, n])
        return empty + 3.0 * (given - empty)


example_args = (torch.randn(4, 2),)
extra_inputs = [(torch.randn(6, 2),)]
dynamic_shapes = {"x": {0: torch.export.Dim("batch")}}
tags = {"torch.dynamic-shape"}
model = ChunkOfCatNamedOk()
