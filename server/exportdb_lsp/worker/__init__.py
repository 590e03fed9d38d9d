"""What runs in the user's interpreter: the standard library and torch, nothing else.

These files are started by path (`python worker/__main__.py`), not imported from an installed exportdb-lsp, so that the
user's environment needs nothing of ours. They keep to Python 3.9, the oldest that a supported torch runs on.
"""
