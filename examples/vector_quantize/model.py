"""A class of a public package that nobody here wrote: vector-quantize-pytorch 1.32.0.

Its codebook keeps "am I initialised?" in a buffer and branches on it, so it does not export.
"""

import torch
from vector_quantize_pytorch import VectorQuantize

model = VectorQuantize(dim=32, codebook_size=64, kmeans_init=True).eval()
example_args = (torch.randn(1, 16, 32),)
