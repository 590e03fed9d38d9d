import torch


class Net(torch.nn.Module):
    """One side computes in double precision, and the result is cast at once."""

    def forward(self, x):
        total = torch.cond(x.sum() > 0, lambda x: x.double().exp(), lambda x: x.float().exp(), (x,)).to(torch.float32)
        return x / total


inputs = [(torch.ones(3, 2),), (-torch.ones(3, 2),)]
# refused: 8 branches-differ
