import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, gamma=0.99, lam=0.95):
        super().__init__()
        self.decay = gamma * lam
        self.gamma = gamma

    def forward(self, rewards, values, dones):
        advantages = torch.zeros_like(rewards)
        last = rewards.new_zeros(())
        for t in reversed(range(rewards.shape[0] - 1)):
            def true_branch(rewards, values, last):
                delta = rewards[t] - values[t]
                last = delta.detach()
                return last.clone()

            def false_branch(rewards, values, last):
                delta = rewards[t] + self.gamma * values[t + 1] - values[t]
                last = delta.detach() + self.decay * last
                return last

            last = torch.cond(dones[t], true_branch, false_branch, (rewards, values, last))
            advantages[t] = last
        return advantages


model = Net()
example_args = (torch.randn(6), torch.randn(6), torch.tensor([False, True, False, False, True, False]))
inputs = [example_args, (torch.randn(6), torch.randn(6), torch.zeros(6, dtype=torch.bool))]
# mended: EDB101
