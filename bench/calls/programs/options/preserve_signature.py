import torch
from torch import nn
from torch.export import export, unflatten


class Stage(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)

    def forward(self, x, *, gain=1.0):
        return {"y": self.fc(x) * gain}


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.stages = nn.ModuleList([Stage(), Stage()])

    def forward(self, x):
        for stage in self.stages:
            x = stage(x, gain=2.0)["y"]
        return x


names = tuple(name for name, m in Net().named_modules() if isinstance(m, Stage))
ep = export(Net(), (torch.randn(2, 4),), preserve_module_call_signature=names)
print(names, sorted(unflatten(ep)._modules))
