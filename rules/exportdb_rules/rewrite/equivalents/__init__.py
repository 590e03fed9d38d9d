"""Operators and layers that look at their data, as others that do not."""
