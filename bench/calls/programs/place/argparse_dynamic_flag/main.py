import argparse

import torch
from torch import nn
from torch.export import Dim, export


class Tabular(nn.Module):
    def __init__(self, batch):
        super().__init__()
        self.register_buffer("bias", torch.zeros(batch, 1))
        self.fc = nn.Linear(5, 1)

    def forward(self, rows):
        return self.fc(rows) + self.bias


def parse_args():
    parser = argparse.ArgumentParser()
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--dynamic", action="store_true")
    return parser.parse_args()


def main():
    args = parse_args()
    shapes = {"rows": {0: Dim("batch")}} if args.dynamic else None
    ep = export(Tabular(args.batch), (torch.randn(args.batch, 5),), dynamic_shapes=shapes)
    print("exported with batch", args.batch, ep.range_constraints)


if __name__ == "__main__":
    main()
