import torch


class ComplexPartSetOk(torch.nn.Module):
    """The imaginary part of a tensor is written in place."""

    def forward(self, x):
        spectrum = torch.fft.rfft(x)
        spectrum.imag.copy_(x[:, : spectrum.shape[1]])
        return spectrum.abs()


example_args = (torch.randn(3, 4),)
tags = {"torch.mutation"}
model = ComplexPartSetOk()
