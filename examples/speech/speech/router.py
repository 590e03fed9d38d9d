"""A mixture of experts: every vector goes to the expert with the highest score."""

import torch
from torch import nn


# exportdb: args=(torch.randn(6, 16),) constructor=Router(16, experts=4, most=6)
class Router(nn.Module):
    def __init__(self, width, experts, most):
        super().__init__()
        self.gate = nn.Linear(width, experts)
        self.experts = nn.ModuleList([nn.Linear(width, width) for _ in range(experts)])
        self.most = most

    def forward(self, vectors):
        weights = torch.softmax(self.gate(vectors), dim=-1)
        chosen = weights.argmax(dim=-1)
        self.check_load(chosen)
        routed = torch.zeros_like(vectors)
        for number, expert in enumerate(self.experts):
            mine = (chosen == number).unsqueeze(1)
            routed = routed + torch.where(mine, expert(vectors), 0.0)
        # The gate learns from the balance term alone, not through the size of the output.
        confidence = weights.data.max(dim=-1, keepdim=True).values
        return routed * confidence

    def check_load(self, chosen):
        load = torch.bincount(chosen, minlength=len(self.experts))
        busiest = load.max().item()
        if busiest > self.most:
            raise RuntimeError("one expert gets more than its share")
