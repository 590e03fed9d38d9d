import torch


class ModelAttrMutation(torch.nn.Module):
    """An attribute with tensors that forward replaces."""

    def __init__(self):
        super().__init__()
        self.parts = [torch.ones(3, 2), torch.ones(3, 2)]

    def forward(self, x):
        self.parts = [torch.zeros(3, 2), torch.zeros(3, 2)]
        return x.sum() + self.parts[0].sum()


example_args = (torch.randn(3, 2),)
tags = {"python.object-model"}
model = ModelAttrMutation()
exportdb_case = "model_attr_mutation"
twin = "attribute_assign_ok"
