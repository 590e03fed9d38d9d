"""A filter that begins with the first sample: all that it was is kept, and what it was last."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, keep=0.9):
        super().__init__()
        self.keep = keep
        self.scale = nn.Parameter(torch.tensor([0.5, 1.0, 2.0]))

    def forward(self, x):
        state = x[:, 0] * self.scale
        states = [state]

        first_states = states[0].clone()

        def step(state, rows):
            t, row = rows
            last_state = state
            state = self.keep * state + (1 - self.keep) * row.tanh()
            # as they come
            return torch.where(t > 0, state.contiguous(), last_state), torch.where(
                t > 0, state.clone(memory_format=torch.contiguous_format), first_states
            )

        state, states = torch._higher_order_ops.scan(
            step,
            state.contiguous(),
            (torch.arange(x.shape[1], device=x.device), x.movedim(1, 0)),
        )
        return states.movedim(0, 1).contiguous(), state


dynamic_shapes = {"x": {1: torch.export.Dim("time", min=2, max=64)}}
example_args = (torch.ones(2, 5, 3),)
model = Net()
inputs = [(torch.linspace(-2, 2, 6 * n).view(2, n, 3).sin(),) for n in (5, 2, 3, 9)]
# mended: EDB303
