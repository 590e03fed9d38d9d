import torch
import torch.fx.experimental._config as shape_config
from torch import nn
from torch.export import Dim, export


class Score(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 1)

    def forward(self, x):
        return self.fc(x).sigmoid()


shapes = {"x": {0: Dim("batch")}}
single = (torch.randn(1, 6),)
with shape_config.patch(backed_size_oblivious=True):
    export(Score(), single, dynamic_shapes=shapes)
print("oblivious: ok")
export(Score(), single, dynamic_shapes=shapes)
