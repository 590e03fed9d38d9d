"""`check --watch`: the check again after every change of a file that it is about."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import click

from exportdb_lsp.cli.program import CannotTry
from exportdb_lsp.files.names import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

# In milliseconds: editors write a file in several steps, and tools write many.
_SETTLED = 100


def watch(paths: Sequence[str], run: Callable[[], int]) -> None:
    """Check, wait for a change of a Python file, a notebook or a pyproject.toml, and check again, until interrupted.

    Raises:
        CannotTry: the package watchfiles is missing, or a path is.
    """
    for changes in _changes([Path(path) for path in paths or (".",)]):
        if changes and sys.stdout.isatty():
            click.clear()
        if changes:
            more = f" and {len(changes) - 1} more" if len(changes) > 1 else ""
            click.echo(f"{shown(min(changes))}{more} changed", err=True)
        run()
        sys.stdout.flush()
        click.echo("Watching for changes; press Ctrl-C to stop.", err=True)


def _changes(places: list[Path]) -> Iterator[set[str]]:
    """First nothing, as soon as changes are noticed; then the names of the files of each change."""
    try:
        # The extra `watch`: a library with a part in Rust that a check alone has no use for.
        watchfiles: Any = import_module("watchfiles")
    except ImportError as error:
        raise CannotTry("--watch requires the package watchfiles: pip install 'exportdb-lsp[watch]'") from error

    def wanted(_: object, name: str) -> bool:
        path = Path(name)
        hidden = any(part.startswith(".") or part == "__pycache__" for part in path.parts[-3:-1])
        return not hidden and (path.suffix in (".py", ".pyi", ".ipynb") or path.name == "pyproject.toml")

    # One round without waiting sets the watch up, so that no change falls between it and the first check.
    stream: Iterator[set[tuple[Any, str]]] = watchfiles.watch(
        *places, watch_filter=wanted, debounce=_SETTLED, rust_timeout=200, yield_on_timeout=True
    )
    try:
        first = True
        for changes in stream:
            names = {name for _, name in changes}
            if first or names:
                yield set() if first else names
            first = False
    except FileNotFoundError as error:
        raise CannotTry(str(error)) from error
