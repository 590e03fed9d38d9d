import torch


class CheckTextMessage(torch.nn.Module):
    """`torch._check` with a text for its message: strict export asks for a function, be the condition decided or not."""

    def forward(self, x):
        torch._check(x.shape[1] == 2, "two columns are needed")
        return x * x.shape[0]


example_args = (torch.randn(3, 2),)
tags = {"python.control-flow"}
model = CheckTextMessage()
twin = "check_shape_ok"
