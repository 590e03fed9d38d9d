"""Two heads that give their results by name."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(4, 2)
        self.b = nn.Linear(4, 2)

    def forward(self, x, flag):
        def true_branch(x):
            out = {"logits": self.a(x), "aux": x.mean()}
            return out

        def false_branch(x):
            out = {"logits": self.b(x), "aux": x.sum()}
            return out

        out = torch.cond(flag, true_branch, false_branch, (x,))
        out["probs"] = out["logits"].softmax(-1)
        return out


model = Net()
example_args = (torch.ones(3, 4), torch.tensor(True))
inputs = [(torch.linspace(-2, 3, 12).view(3, 4), torch.tensor(flag)) for flag in (True, False)]
# mended: EDB101
