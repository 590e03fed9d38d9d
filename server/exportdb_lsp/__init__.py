"""exportdb-lsp: finds code in PyTorch models that breaks torch.export, confirms it with a real export, and fixes it."""

__version__ = "0.1.0"
