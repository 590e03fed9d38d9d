import torch


class LayerOptionOk(torch.nn.Module):
    """Branches on tensors that the options of layers, known before tracing, leave out."""

    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(2, 2, bias=False)
        self.norm = torch.nn.BatchNorm1d(2, affine=False)
        self.dropout = torch.nn.Dropout(0.0)
        self.table = torch.nn.Embedding(4, 2)
        self.window = torch.nn.Conv1d(3, 3, 1)
        self.heads = torch.nn.ModuleDict({"main": torch.nn.Linear(2, 2)})
        self.flags = [False, False]
        self.activation = torch.nn.functional.relu

    def forward(self, x):
        if self.layer.bias is not None or self.norm.affine or self.dropout.p > 0:
            x = x if x.sum() > 0 else -x
        if self.table.padding_idx is not None or self.window.stride[0] > 1 or "other" in self.heads:
            x = x if x.sum() > 0 else -x
        if any(self.flags) or getattr(self, "gate", False) or self.activation is torch.nn.functional.gelu:
            x = x if x.sum() > 0 else -x
        if x.dtype in (torch.float16, torch.bfloat16) or type(self.layer) is torch.nn.Bilinear:
            x = x if x.sum() > 0 else -x
        return self.layer(self.activation(x))


example_args = (torch.randn(3, 2),)
tags = {"torch.dynamic-value", "python.control-flow"}
model = LayerOptionOk()
