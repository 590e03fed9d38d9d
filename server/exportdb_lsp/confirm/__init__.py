"""Confirm: a real export in the user's own interpreter, and what came of it."""
