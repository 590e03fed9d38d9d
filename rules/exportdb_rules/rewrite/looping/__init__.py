"""Loops whose rounds depend on data or on a dynamic size."""
