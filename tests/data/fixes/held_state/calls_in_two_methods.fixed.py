import torch

step = torch.tensor(1)


class Net(torch.nn.Module):
    """One method counts, another one reads."""

    def __init__(self):
        super().__init__()
        self.register_buffer("step", step, persistent=False)
        self.layer = torch.nn.Linear(2, 2)

    def advance(self):
        # one more
        self.step += 2

    def forward(self, x):
        y = self.layer(x) * (x.mean() + self.step)
        self.advance()
        return y


keeps_state = True
inputs = [(torch.ones(3, 2),), (torch.ones(3, 2) * 2,), (torch.ones(3, 2),)]
# mended: EDB404
