"""Small real programs with the verdict that torch.export gives on each of them."""
