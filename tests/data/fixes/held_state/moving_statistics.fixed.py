import torch


class Net(torch.nn.Module):
    """Running statistics by name, of which one is only read."""

    def __init__(self):
        super().__init__()
        self.register_buffer("running_mean", torch.zeros(3), persistent=False)
        self.register_buffer("running_seen", torch.tensor(0), persistent=False)
        self.running = {"scale": torch.ones(3)}

    def update(self, x):
        self.running_mean.copy_(0.9 * self.running_mean + 0.1 * x.mean(0))
        self.running_seen += len(x.shape)

    def forward(self, x):
        out = (x - self.running_mean) * self.running["scale"]
        self.update(x)
        return out * self.running_seen


model = Net()
example_args = (torch.ones(2, 3),)
inputs = [(torch.ones(2, 3),), (torch.ones(2, 3) * 2,), (torch.ones(2, 3) * 3,)]
# mended: EDB402
