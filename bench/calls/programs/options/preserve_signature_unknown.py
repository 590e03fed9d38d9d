import torch
from torch import nn
from torch.export import export

net = nn.Sequential()
net.add_module("stem", nn.Linear(4, 4))
net.add_module("head", nn.Linear(4, 2))
keep = ["stem", "neck"]
try:
    export(net, (torch.randn(2, 4),), preserve_module_call_signature=tuple(keep))
    print("kept", keep)
except AttributeError as e:
    print(e)
export(net, (torch.randn(2, 4),), preserve_module_call_signature=tuple(keep[:1]))
