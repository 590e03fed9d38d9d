import torch


class Net(torch.nn.Module):
    """Running statistics by name, of which one is only read."""

    def __init__(self):
        super().__init__()
        self.running = {"mean": torch.zeros(3), "scale": torch.ones(3), "seen": 0}

    def update(self, x):
        self.running["mean"] = 0.9 * self.running["mean"] + 0.1 * x.mean(0)
        self.running["seen"] += len(x.shape)

    def forward(self, x):
        out = (x - self.running["mean"]) * self.running["scale"]
        self.update(x)
        return out * self.running["seen"]


model = Net()
example_args = (torch.ones(2, 3),)
inputs = [(torch.ones(2, 3),), (torch.ones(2, 3) * 2,), (torch.ones(2, 3) * 3,)]
# refused: 12 state-in-container, 13 state-in-container
