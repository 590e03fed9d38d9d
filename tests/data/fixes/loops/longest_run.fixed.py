import torch
from torch import nn


class Net(nn.Module):
    def forward(self, tokens, logp):
        longest = logp.new_zeros((), dtype=torch.int64)
        run = logp.new_zeros((), dtype=torch.int64)
        loss = logp.new_zeros(())
        counted = logp.new_zeros((), dtype=torch.int64)
        for t in range(1, tokens.shape[0]):
            run = torch.where(tokens[t] == tokens[t - 1], run + 1, 0)
            longest = torch.maximum(longest, run)

            def true_branch(loss, logp, counted):
                # Padding.
                loss = loss - logp[t]
                counted = counted + 1
                return loss, counted.double()

            def false_branch(loss, logp, counted):
                return loss.clone(), counted.double()

            loss, counted = torch.cond(tokens[t] != 0, true_branch, false_branch, (loss, logp, counted))
            counted = counted.long()
        return longest, loss / counted.clamp(min=1)


model = Net()
example_args = (torch.tensor([1, 1, 1, 0, 2, 3]), torch.randn(6))
inputs = [example_args, (torch.tensor([0, 0, 0, 0, 0, 1]), torch.randn(6)), (torch.arange(6), torch.randn(6))]
# mended: EDB101
