"""Lines of shell that call the program, as the pages and the help show them."""

from __future__ import annotations

from collections.abc import Sequence

import click


def own_words(command: click.Command, words: Sequence[str]) -> list[str]:
    """Of the words behind a command those that are its own: behind the program of `run` all are the program's."""
    if command.name != "run":
        return list(words)
    valued = {name for p in command.params if isinstance(p, click.Option) and not p.is_flag for name in p.opts}
    for number, word in enumerate(words):
        before = words[number - 1] if number else ""
        if before == "-m" or (not word.startswith("-") and before not in valued):
            return list(words[:number])
    return list(words)
