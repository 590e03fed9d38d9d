"""Checking many files at once: over processes, with fixes applied in rounds, against a baseline."""
