import torch


class Net(torch.nn.Module):
    """A total of the function around is raised by one branch, and a mask cleared by the other."""

    def forward(self, x):
        total = torch.zeros(2)
        mask = torch.ones(3, 2)

        def more(x):
            total_2 = total.clone()
            total_2.add_(x.sum(0))  # what came in
            return x * 2, total_2, mask.clone()

        def none(x):
            mask_2 = mask.clone()
            mask_2[0].zero_()
            return x * total, total.clone(), mask_2

        y, total_2, mask_2 = torch.cond(x.sum() > 0, more, none, (x,))
        total.copy_(total_2)
        mask.copy_(mask_2)
        return y * mask + total


inputs = [(torch.ones(3, 2),), (-torch.ones(3, 2),)]
# mended: EDB604
