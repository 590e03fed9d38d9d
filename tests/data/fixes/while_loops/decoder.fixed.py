"""A greedy decoder that writes tokens into a buffer until the buffer is full."""

import torch
from torch import nn
from torch._higher_order_ops.while_loop import while_loop


class Net(nn.Module):
    def __init__(self, words=5, width=4, longest=4):
        super().__init__()
        self.longest = longest
        self.embed = nn.Embedding(words, width)
        self.head = nn.Linear(width, words)

    def forward(self, prompt):
        def going(at, last, said):
            return at < self.longest

        def say(at, last, said):
            said = said.clone()
            token = self.head(self.embed(last)).argmax(-1)
            said.index_copy_(0, at.reshape(1), token.reshape(1, -1))
            return at + 1, token, said

        at = torch.zeros((), dtype=torch.int64)
        said = torch.zeros(self.longest, prompt.shape[0], dtype=torch.int64)
        _, last, said = while_loop(going, say, (at, prompt.clone(), said))
        return said, self.embed(last)


inputs = [(torch.tensor([0, 1]),), (torch.tensor([4, 2]),)]
# mended: EDB605
