import torch


class Net(torch.nn.Module):
    """One side computes in double precision, and the result is cast at once."""

    def forward(self, x):
        total = torch.cond(
            x.sum() > 0,
            lambda x: x.double().exp().to(torch.float32),
            lambda x: x.float().exp().to(torch.float32),
            (x,),
        )
        return x / total


inputs = [(torch.ones(3, 2),), (-torch.ones(3, 2),)]
# mended: EDB603
