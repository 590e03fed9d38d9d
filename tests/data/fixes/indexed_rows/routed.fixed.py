"""Experts that some token chose, each called for its own tokens; what no token chose adds nothing."""

import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self, width=4, experts=4, chosen=2):
        super().__init__()
        self.num_experts, self.chosen = experts, chosen
        self.gate = nn.Linear(width, experts, bias=False)
        self.experts = nn.ModuleList([nn.Linear(width, width) for _ in range(experts)])

    def forward(self, hidden_states):
        x = hidden_states.view(-1, hidden_states.shape[-1])
        weights, selected = torch.topk(F.softmax(self.gate(x), dim=1), self.chosen, dim=-1)
        out = torch.zeros_like(x)
        expert_mask = F.one_hot(selected, num_classes=self.num_experts).permute(2, 1, 0)
        expert_hit = torch.greater(expert_mask.sum(dim=(-1, -2)), 0).nonzero()
        for expert_idx in range(expert_mask.shape[0]):
            expert_layer = self.experts[expert_idx]
            idx, top_x = torch.where(expert_mask[expert_idx : expert_idx + 1].squeeze(0))
            # What the expert makes of its tokens, as much as they want of it.
            current = expert_layer(x[top_x]) * weights[top_x, idx, None]
            out.index_add_(0, top_x, current.to(x.dtype))
        return out.view(hidden_states.shape)


model = Net()
inputs = [
    (torch.linspace(-2, 2, 24).view(2, 3, 4).sin(),),
    (torch.linspace(0, 9, 24).view(2, 3, 4).cos(),),
    (torch.ones(2, 3, 4),),
]
# mended: EDB106
