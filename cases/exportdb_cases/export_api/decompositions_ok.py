import torch


class DecompositionsOk(torch.nn.Module):
    """`run_decompositions` rewrites the graph to core operators; it computes the same."""

    def __init__(self):
        super().__init__()
        self.norm = torch.nn.BatchNorm2d(3)
        self.conv = torch.nn.Conv2d(3, 4, 3)

    def forward(self, x):
        return self.conv(self.norm(x)).relu()


example_args = (torch.randn(2, 3, 6, 6),)
after = "decompose"
tags = {"torch.operator"}
model = DecompositionsOk().eval()
