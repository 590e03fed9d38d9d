import torch


class Net(torch.nn.Module):
    """The caller sees that its tensor was scaled."""

    def forward(self, x, scale):
        def shrink(x, scale):
            x = x.clone()
            x /= scale
            return x.mean(0), x

        def keep(x, scale):
            return (x * 0.5).mean(0), x.clone()

        middle, new_x = torch.cond(x.abs().max() > 1, shrink, keep, (x, scale))
        x.copy_(new_x)
        return middle + x.sum(0)


inputs = [(torch.arange(6.0).view(3, 2) + 3, torch.tensor(2.0)), (torch.full((3, 2), 0.5), torch.tensor(3.0))]
# mended: EDB604
