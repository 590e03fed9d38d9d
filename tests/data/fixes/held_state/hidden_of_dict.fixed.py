import torch


class Net(torch.nn.Module):
    """A recurrent state and a count in a dict, beside a setting."""

    def __init__(self):
        super().__init__()
        self.cell = torch.nn.Linear(4, 4)
        # h: what was seen
        self.register_buffer("state_h", torch.zeros(2, 4), persistent=False)
        self.register_buffer("state_steps", torch.tensor(0), persistent=False)
        self.state = {"decay": 0.5}

    def forward(self, x):
        h = self.state_h * self.state["decay"] + torch.ones(2, 4)
        self.state_h.copy_(h)
        self.state_steps += 1
        return self.cell(x) + h * self.state_steps


inputs = [(torch.ones(2, 4),), (torch.ones(2, 4) * 2,), (torch.zeros(2, 4),)]
# mended: EDB402
