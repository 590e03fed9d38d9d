"""How a check is ended from outside."""

from __future__ import annotations


class Interrupted(Exception):
    """Nobody waits for the answer any more. Raised by who was asked, and by nobody else; it ends the check."""
