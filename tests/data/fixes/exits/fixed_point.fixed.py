"""An iteration to a fixed point, and one that stops when all rows are done: what follows the exit is cheap."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(3, 3)

    def forward(self, x):
        z = torch.zeros_like(x)
        done = z.new_zeros((), dtype=torch.bool)
        for _ in range(4):
            def true_branch(done, z, x):
                # one step
                new = torch.tanh(self.lin(z) + x)
                done = torch.norm(new - z) < 0.3
                z = torch.where(done, z, new)
                return done.float(), z

            def false_branch(done, z, x):
                return done.float(), z.clone()

            done, z = torch.cond(~done, true_branch, false_branch, (done, z, x))
            done = done.bool()
        finished = torch.zeros(x.shape[0], dtype=torch.bool)
        done_2 = x.new_zeros((), dtype=torch.bool)
        for _ in range(3):
            def true_branch_2(done_2, x, finished):
                token = self.lin(x).argmax(-1)
                finished = finished | (token == 2)
                done_2 = finished.all()

                def true_branch_3(x, token):
                    x = x + token[:, None].to(x.dtype)
                    return x.contiguous()

                def false_branch_3(x, token):
                    return x.clone(memory_format=torch.contiguous_format)

                x = torch.cond(~done_2, true_branch_3, false_branch_3, (x, token))
                return done_2.float(), x, finished.float()

            def false_branch_2(done_2, x, finished):
                return done_2.float(), x.clone(memory_format=torch.contiguous_format), finished.float()

            done_2, x, finished = torch.cond(~done_2, true_branch_2, false_branch_2, (done_2, x, finished))
            done_2 = done_2.bool()
            finished = finished.bool()
        return z, x


inputs = [(torch.linspace(-1, 1, 6).view(2, 3) * a,) for a in (1.0, -3.0, 0.01)]
# mended: EDB101
