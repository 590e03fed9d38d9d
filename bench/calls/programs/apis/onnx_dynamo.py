import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 3)

    def forward(self, x):
        return self.fc(x).softmax(-1)


batch = torch.export.Dim("batch")
program = torch.onnx.export(
    Net().eval(), (torch.randn(2, 4),), dynamo=True, dynamic_shapes={"x": {0: batch}}, input_names=["x"], verbose=False
)
print([i.name for i in program.model.graph.inputs])
