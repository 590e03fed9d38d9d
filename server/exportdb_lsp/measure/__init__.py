"""Runs cases through the real `torch.export` and keeps what it does, version by version."""
