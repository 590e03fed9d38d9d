import torch


class Features(dict):
    pass


class DictSubclassOutput(torch.nn.Module):
    """A result of a class that derives from dict."""

    def forward(self, x):
        return Features(offset=x.sin())


example_args = (torch.randn(3),)
tags = {"python.object-model", "python.data-structure"}
model = DictSubclassOutput()
twin = "nested_containers_ok"
