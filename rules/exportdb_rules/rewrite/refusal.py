"""How a rewrite says no."""

from __future__ import annotations


class Refused(Exception):
    """The rewrite cannot be done right here. The reason is for people who work on the rewrites, not for users."""
