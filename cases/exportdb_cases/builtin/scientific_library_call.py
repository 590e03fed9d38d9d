import networkx
import torch


class ScientificLibraryCall(torch.nn.Module):
    """Functions of networkx, scipy, pandas, OpenCV or Pillow compute in code that strict export will not trace."""

    def forward(self, x):
        ring = networkx.cycle_graph(4)
        return x * ring.number_of_edges()


example_args = (torch.randn(3, 2),)
tags = {"python.builtin"}
model = ScientificLibraryCall()
twin = "scientific_library_call_ok"
