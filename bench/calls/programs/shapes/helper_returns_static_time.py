import torch
from torch import nn
from torch.export import Dim, export


def dynamic_axes_for(model, lengths):
    """batch is dynamic everywhere, time only where the model can take it"""
    time = Dim("time", max=4096) if all(n % model.frame for n in lengths) else None
    return {"audio": {0: Dim("batch"), 1: time}}


class Frames(nn.Module):
    frame = 80

    def forward(self, audio):
        b, t = audio.shape
        return audio.reshape(b, t // self.frame, self.frame).pow(2).sum(-1).log1p()


ep = export(Frames(), (torch.randn(2, 800),), dynamic_shapes=dynamic_axes_for(Frames, [400, 800]))
print([str(v) for v in ep.range_constraints.values()])
