import argparse
import sys

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


def main(argv):
    parser = argparse.ArgumentParser()
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--dynamic", action="store_true")
    args = parser.parse_args(argv)
    shapes = {"rows": {0: Dim("batch")}} if args.dynamic else None
    export(Tabular(args.batch), (torch.randn(args.batch, 5),), dynamic_shapes=shapes)
    print("exported with batch", args.batch)
    return 3 if args.batch == 8 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
