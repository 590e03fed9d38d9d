"""exportdb-lsp: which lines of a PyTorch model break torch.export, proven and rewritten."""

__version__ = "0.1.0"
