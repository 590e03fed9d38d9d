import torch
from torch import nn
from torch.export import export


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 1)

    def forward(self, x):
        value = self.fc(x)
        if torch.is_grad_enabled():
            return value
        # Values are logged while acting only.
        return value if value.abs().max() < 100 else value.clamp(-100, 100)


critic = Critic()
x = torch.randn(2, 4)
export(critic, (x,))
print("with gradients: ok")
with torch.no_grad():
    export(critic, (x,))
print("without: ok")
