import torch
from torch.export import Dim, export


class Rotary(torch.nn.Module):
    def __init__(self, dim, length):
        super().__init__()
        freqs = torch.outer(torch.arange(length), 1.0 / 100 ** (torch.arange(0, dim, 2) / dim))
        self.register_buffer("cos", freqs.cos(), persistent=False)

    def forward(self, x):
        return x[..., ::2] * self.cos[: x.shape[1]]


def main(max_length=32):
    model = Rotary(8, max_length)
    max_length *= 2
    time = Dim("time", min=2, max=max_length)
    ep = export(model, (torch.randn(1, 10, 8),), dynamic_shapes={"x": {1: time}})
    print(ep.range_constraints)


if __name__ == "__main__":
    main()
