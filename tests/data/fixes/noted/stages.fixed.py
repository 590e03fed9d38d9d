"""What each stage gives is collected in a list and a dict, whichever way it was computed."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.stages = nn.ModuleList([nn.Linear(4, 4), nn.Linear(4, 4)])
        self.skip = nn.Linear(4, 4)

    def forward(self, x):
        outs = []
        named = {}
        for stage in self.stages:
            h = stage(x)

            def true_branch(h, x):
                # a strong answer
                item = h.relu()
                x = x + h
                return item, x

            def false_branch(h, x):
                def true_branch_2(h, x):
                    item = h.tanh()
                    x = x * 2
                    return item, x

                def false_branch_2(h, x):
                    item = self.skip(x)
                    return item, x.clone()

                item, x = torch.cond(h.amax() > 1, true_branch_2, false_branch_2, (h, x))
                return item, x

            item, x = torch.cond(h.mean() > 0, true_branch, false_branch, (h, x))
            outs.append(item)

        def true_branch_3(x):
            last = x * 2
            return last.contiguous()

        def false_branch_3(x):
            last = x - 1
            return last.contiguous()

        last = torch.cond(x.sum() > 0, true_branch_3, false_branch_3, (x,))
        named["last"] = last
        return torch.cat(outs, -1), named["last"] * 1.5


inputs = [(torch.ones(2, 4) * s,) for s in (1.0, -1.0, 5.0, -5.0, 0.0)]
# mended: EDB101
