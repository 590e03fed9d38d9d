"""A streaming encoder whose state is an object."""

import torch
from torch import nn


class StreamState:
    def __init__(self, width):
        self.hidden = torch.zeros(1, width)
        self.seen = torch.zeros((), dtype=torch.int64)


def _make_stream_state(values, _):
    stream_state = StreamState.__new__(StreamState)
    stream_state.hidden, stream_state.seen = values
    return stream_state


torch.utils._pytree.register_pytree_node(
    StreamState,
    lambda stream_state: ([stream_state.hidden, stream_state.seen], None),
    _make_stream_state,
    serialized_type_name="program.StreamState",
    flatten_with_keys_fn=lambda stream_state: ([(torch.utils._pytree.GetAttrKey("hidden"), stream_state.hidden), (torch.utils._pytree.GetAttrKey("seen"), stream_state.seen)], None),
)



class Net(nn.Module):
    def __init__(self, width=3):
        super().__init__()
        self.cell = nn.GRUCell(2, width)

    def forward(self, frame, state: StreamState):
        hidden = self.cell(frame, state.hidden)
        # The caller makes the next state of it.
        return hidden * 2, hidden, state.seen + 1


inputs = [(torch.ones(1, 2), StreamState(3)), (-torch.ones(1, 2), StreamState(3))]
# mended: EDB701
