import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        done = torch.zeros((), dtype=torch.bool)

        def keep_going(done, x):
            return ~done

        def step(done, x):
            x = x / 2
            # the flag is written for the next test alone
            done = x.abs().max() < 1
            return (done, x)

        done, x = torch._higher_order_ops.while_loop(keep_going, step, (done, x))
        return x


inputs = [(torch.tensor([8.0, 3.0]),), (torch.tensor([-0.5, 0.25]),), (torch.tensor([100.0, -7.0]),)]
# mended: EDB101
