from concurrent.futures import ThreadPoolExecutor

import torch
from torch import nn
from torch.export import Dim, export


class Downsample(nn.Module):
    def __init__(self, by):
        super().__init__()
        self.by = by

    def forward(self, x):
        return x.reshape(x.shape[0] // self.by, self.by, 2).mean(1)


def task(by, rows):
    return export(Downsample(by), (torch.randn(12, 2),), dynamic_shapes=({0: rows},))


with ThreadPoolExecutor(max_workers=1) as pool:
    good = pool.submit(task, 3, 3 * Dim("n", max=9))
    bad = pool.submit(task, 3, Dim("n", max=9 * 3))
print(len(good.result().range_constraints), type(bad.exception()).__name__)
