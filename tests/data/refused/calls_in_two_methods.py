import torch

step = 1


class Net(torch.nn.Module):
    """One method counts, another one reads."""

    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(2, 2)

    def advance(self):
        # one more
        global step
        step += 2

    def forward(self, x):
        y = self.layer(x) * (x.mean() + step)
        self.advance()
        return y


keeps_state = True
inputs = [(torch.ones(3, 2),), (torch.ones(3, 2) * 2,), (torch.ones(3, 2),)]
# refused: 16 side-effect
