import torch


class ClassMethod(torch.nn.Module):
    """A class method that forward calls is traced into."""

    @classmethod
    def shift(cls, x):
        return x + 1

    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 2)

    def forward(self, x):
        x = self.linear(x)
        return self.shift(x) * type(self).shift(x)


example_args = (torch.randn(3, 4),)
tags = {"python.object-model"}
model = ClassMethod()
exportdb_case = "class_method"
