"""A network that answers at the first head that is sure, and says whether one was."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, depth=3, threshold=0.6):
        super().__init__()
        self.blocks = nn.ModuleList([nn.Linear(4, 4) for _ in range(depth)])
        self.heads = nn.ModuleList([nn.Linear(4, 3) for _ in range(depth)])
        self.threshold = threshold

    def forward(self, x):
        result = torch.zeros(())
        done = x.new_zeros((), dtype=torch.bool)
        logits = None
        for block, head in zip(self.blocks, self.heads, strict=True):
            def true_branch(logits, done, x, result):
                x = block(x).relu()
                logits = head(x)
                done = logits.softmax(-1).max(-1).values.mean() > self.threshold
                result = torch.where(done, torch.ones(()), result)
                return logits, done.float(), x, result

            def false_branch(logits, done, x, result):
                return logits.clone(), done.float(), x.clone(), result.clone()

            if logits is None:
                logits, done, x, result = true_branch(logits, done, x, result)
            else:
                logits, done, x, result = torch.cond(
                    ~done, true_branch, false_branch, (logits, done, x, result)
                )
            done = done.bool()
        return logits, result


example_args = (torch.ones(2, 4),)
model = Net()
inputs = [(torch.linspace(-2, 3, 8).view(2, 4) * scale,) for scale in (1.0, 40.0, -8.0, 0.0)]
# mended: EDB101
