import threading

import torch
from torch import nn


class Clamp(nn.Module):
    def __init__(self, bound):
        super().__init__()
        self.bound = bound

    def forward(self, x):
        if isinstance(self.bound, torch.Tensor) and (x > self.bound).any():
            return x.clamp(max=1.0)
        return x


outcome = {}


def job(name, bound):
    try:
        torch.export.export(Clamp(bound), (torch.randn(3),))
        outcome[name] = "exported"
    except Exception as e:
        outcome[name] = type(e).__name__


for name, bound in [("float", 1.0), ("tensor", torch.tensor(1.0))]:
    worker = threading.Thread(target=job, args=(name, bound))
    worker.start()
    worker.join()
print(outcome)
