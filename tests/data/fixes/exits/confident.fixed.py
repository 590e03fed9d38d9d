"""A network that stops at the first layer whose answer is sure; what it answers is bound in the loop."""

import torch
from torch import nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self, depth=4, threshold=0.6):
        super().__init__()
        self.blocks = nn.ModuleList([nn.Linear(8, 8) for _ in range(depth)])
        self.heads = nn.ModuleList([nn.Linear(8, 3) for _ in range(depth)])
        self.threshold = threshold

    def forward(self, x):
        done = x.new_zeros((), dtype=torch.bool)
        logits = None
        for block, head in zip(self.blocks, self.heads):
            def true_branch(logits, done, x):
                x = F.relu(block(x))
                logits = head(x)
                confidence = logits.softmax(-1).max(-1).values.mean()
                done = confidence > self.threshold
                return logits, done.float(), x

            def false_branch(logits, done, x):
                return logits.clone(), done.float(), x.clone()

            if logits is None:
                logits, done, x = true_branch(logits, done, x)
            else:
                logits, done, x = torch.cond(~done, true_branch, false_branch, (logits, done, x))
            done = done.bool()
        return logits


inputs = [(torch.linspace(-2, 3, 16).view(2, 8) * scale,) for scale in (1.0, 40.0, -8.0)]
# mended: EDB101
