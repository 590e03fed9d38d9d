import torch


class NestedFunction(torch.nn.Module):
    """Functions defined in forward may close over its values."""

    def forward(self, a, b):
        x = a + b
        z = a - b

        def closure(y):
            nonlocal x
            x += 1
            return x * y + z

        return closure(x)


example_args = (torch.randn(3, 2), torch.randn(2))
tags = {"python.closure"}
model = NestedFunction()
exportdb_case = "nested_function"
