import torch


class MergedQuotientNamed(torch.nn.Module):
    """A layer takes all steps as rows: export does not see that half of a named Dim of 8 or more is larger than one."""

    def __init__(self):
        super().__init__()
        self.embed = torch.nn.Linear(4, 8)

    def forward(self, x):
        pooled = torch.nn.functional.avg_pool1d(x, 2)
        return self.embed(pooled.transpose(1, 2))


example_args = (torch.randn(2, 4, 12),)
extra_inputs = [(torch.randn(2, 4, 16),)]
dynamic_shapes = {"x": {2: torch.export.Dim("steps", min=8)}}
tags = {"torch.dynamic-shape"}
model = MergedQuotientNamed()
