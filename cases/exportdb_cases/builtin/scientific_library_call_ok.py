import networkx
import torch


class ScientificLibraryCallOk(torch.nn.Module):
    """The constructor is not traced: what it computes with a scientific library is a constant of the program."""

    def __init__(self):
        super().__init__()
        self.edges = networkx.cycle_graph(4).number_of_edges()

    def forward(self, x):
        return x * self.edges


example_args = (torch.randn(3, 2),)
tags = {"python.builtin"}
model = ScientificLibraryCallOk()
