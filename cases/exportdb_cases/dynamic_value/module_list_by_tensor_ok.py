import torch


class ModuleListByTensorOk(torch.nn.Module):
    """Running all experts and picking one result stays in the graph."""

    def __init__(self):
        super().__init__()
        self.experts = torch.nn.ModuleList(torch.nn.Linear(3, 3) for _ in range(3))

    def forward(self, x):
        results = torch.stack([expert(x) for expert in self.experts])
        return results.index_select(0, x.argmax().reshape(1)).squeeze(0)


example_args = (torch.randn(3),)
tags = {"torch.dynamic-value"}
model = ModuleListByTensorOk()
