"""Errors of torch.export that somebody has as text: read, placed in the user's source, and explained."""
