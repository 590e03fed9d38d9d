import torch


class AssociativeScanOperator(torch.nn.Module):
    """The operator behind `associative_scan`, called by its own name."""

    def forward(self, x):
        return torch.ops.higher_order.associative_scan(lambda a, b: [a + b], [x], [])[0]


example_args = (torch.randn(4, 2),)
tags = {"torch.map", "torch.operator"}
model = AssociativeScanOperator()
twin = "associative_scan_ok"
