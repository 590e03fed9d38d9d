import torch
from torch import nn


class Net(nn.Module):
    def forward(self, tokens, logp):
        longest = 0
        run = 0
        loss = 0.0
        counted = 0
        for t in range(1, tokens.shape[0]):
            if tokens[t] == tokens[t - 1]:
                run += 1
            else:
                run = 0
            longest = max(longest, run)
            if tokens[t] == 0:
                # Padding.
                continue
            loss = loss - logp[t]
            counted += 1
        return torch.tensor(longest), loss / max(counted, 1)


model = Net()
example_args = (torch.tensor([1, 1, 1, 0, 2, 3]), torch.randn(6))
inputs = [example_args, (torch.tensor([0, 0, 0, 0, 0, 1]), torch.randn(6)), (torch.arange(6), torch.randn(6))]
# mended: EDB101
