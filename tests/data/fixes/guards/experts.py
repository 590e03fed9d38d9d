"""Experts that are passed over where no token chose them."""

import torch
from torch import nn


class Expert(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.up, self.down = nn.Linear(width, 2 * width), nn.Linear(width, width)

    def forward(self, x):
        gate, value = self.up(x).chunk(2, dim=-1)
        return self.down(nn.functional.silu(gate) * value)


class Net(nn.Module):
    def __init__(self, width=8, experts=4, chosen=2):
        super().__init__()
        self.gate = nn.Linear(width, experts, bias=False)
        self.experts = nn.ModuleList([Expert(width) for _ in range(experts)])
        self.shared = Expert(width)
        self.chosen, self.width = chosen, width

    def forward(self, hidden):
        weights, selected = torch.topk(self.gate(hidden).softmax(dim=1), self.chosen, dim=-1)
        mask = nn.functional.one_hot(selected, num_classes=len(self.experts)).permute(2, 1, 0)
        final = torch.zeros_like(hidden)
        for number in range(len(self.experts)):
            expert = self.experts[number]
            idx, top_x = torch.where(mask[number])
            if top_x.shape[0] == 0:  # nobody's choice
                continue
            current = hidden[None, top_x].reshape(-1, self.width)
            current = expert(current) * weights[top_x, idx, None]
            final.index_add_(0, top_x, current.to(hidden.dtype))
        large = hidden.norm(dim=-1) > 3
        if large.any():
            left, right = self.shared(hidden[large]).chunk(2, dim=-1)
            scaled = nn.functional.linear(final[large], self.gate.weight.t() @ self.gate.weight)
            final[large] = torch.tanh(scaled)
            final[large] += 1
        return final


torch.manual_seed(0)
inputs = [(torch.randn(n, 8) * s,) for n, s in ((6, 1.0), (6, 0.1), (6, 9.0))]
# mended: EDB101 EDB103
