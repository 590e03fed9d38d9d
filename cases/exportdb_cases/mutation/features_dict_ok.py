import torch


class FeaturesDictOk(torch.nn.Module):
    """Features in a dict on the module, each stored before it is read."""

    def __init__(self):
        super().__init__()
        self.first = torch.nn.Linear(4, 4)
        self.second = torch.nn.Linear(4, 4)
        self.features = {}

    def forward(self, x):
        self.features["first"] = self.first(x).relu()
        self.features["second"] = self.second(self.features["first"])
        return torch.cat([self.features["first"], self.features["second"]], -1)


example_args = (torch.randn(3, 4),)
tags = {"python.object-model", "python.data-structure"}
model = FeaturesDictOk()
