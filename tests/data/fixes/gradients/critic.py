"""A critic that is not trained while the actor is, and that tidies up behind itself."""

import gc

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.actor = nn.Linear(3, 2)
        self.critic = nn.Linear(5, 1)

    def forward(self, state):
        action = self.actor(state).tanh()
        for layer in (self.critic,):
            layer.requires_grad_(False)
        value = self.critic(torch.cat([state, action], dim=-1))
        gc.collect()
        return action, value


inputs = [(torch.linspace(-1, 1, 6).view(2, 3),), (torch.linspace(2, -1, 6).view(2, 3),)]
# mended: EDB406 EDB503
