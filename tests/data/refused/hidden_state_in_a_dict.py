import torch


class Net(torch.nn.Module):
    """A recurrent state and a count in a dict, beside a setting."""

    def __init__(self):
        super().__init__()
        self.cell = torch.nn.Linear(4, 4)
        # h: what was seen
        self.state = {"h": torch.zeros(2, 4), "steps": 0, "decay": 0.5}

    def forward(self, x):
        h = self.state["h"] * self.state["decay"] + torch.ones(2, 4)
        self.state["h"] = h
        self.state["steps"] += 1
        return self.cell(x) + h * self.state["steps"]


inputs = [(torch.ones(2, 4),), (torch.ones(2, 4) * 2,), (torch.zeros(2, 4),)]
# refused: 15 state-in-container, 16 state-in-container
