import torch


class Net(torch.nn.Module):
    """A total of the function around is raised by one branch, and a mask cleared by the other."""

    def forward(self, x):
        total = torch.zeros(2)
        mask = torch.ones(3, 2)

        def more(x):
            total.add_(x.sum(0))  # what came in
            return x * 2

        def none(x):
            mask[0].zero_()
            return x * total

        y = torch.cond(x.sum() > 0, more, none, (x,))
        return y * mask + total


inputs = [(torch.ones(3, 2),), (-torch.ones(3, 2),)]
# mended: EDB604
