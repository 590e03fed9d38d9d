"""Rules about sizes."""
