import torch


class Shift(torch.nn.Module):
    def __init__(self, state):
        super().__init__()
        self.state = state

    def forward(self, x):
        return x + self.state["shift"]


class StatePoppedOk(torch.nn.Module):
    """A dict that submodules share, in which every call puts what it takes out again."""

    def __init__(self):
        super().__init__()
        self.state = {}
        self.map = torch.nn.Linear(2, 2)
        self.layers = torch.nn.Sequential(Shift(self.state), torch.nn.ReLU(), Shift(self.state))

    def forward(self, x):
        self.state["shift"] = self.map(x)
        result = self.layers(x)
        self.state.pop("shift")
        return result


example_args = (torch.randn(3, 2),)
tags = {"python.object-model", "python.data-structure"}
model = StatePoppedOk()
