import torch


class LobpcgOk(torch.nn.Module):
    """`torch.linalg.eigvalsh` computes all eigenvalues, whatever the values are."""

    def forward(self, x):
        return torch.linalg.eigvalsh(x @ x.T + 5 * torch.eye(4))[-1:]


example_args = (torch.randn(4, 4),)
tags = {"torch.dynamic-value"}
model = LobpcgOk()
