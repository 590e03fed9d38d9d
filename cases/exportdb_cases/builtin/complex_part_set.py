import torch


class ComplexPartSet(torch.nn.Module):
    """The imaginary part of a tensor is assigned."""

    def forward(self, x):
        spectrum = torch.fft.rfft(x)
        spectrum.imag = x[:, : spectrum.shape[1]]
        return spectrum.abs()


example_args = (torch.randn(3, 4),)
tags = {"torch.mutation"}
model = ComplexPartSet()
