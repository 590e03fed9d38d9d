"""Findings as text and as the formats that other programs read; one module a format."""
