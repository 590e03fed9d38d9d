"""Which proofs a run makes again.

A proof by real exports takes seconds. Those that were passed are recorded by name, each with a key of all that it depends
on. A run makes those again whose key is another than it was, and another tenth of the rest each day; with `--record` (`make
record`) it keeps them, with `--prove` (`make prove`) it makes and records all.
"""

from __future__ import annotations

import hashlib
import json
import os
import zlib
from collections.abc import Callable, Iterable, Mapping
from datetime import date
from functools import cache
from importlib.metadata import version
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent / "data" / "proofs"
TORCH = version("torch")
# Set once for all processes of a run: at midnight they would not agree.
DAY = "EXPORTDB_DAY_OF_PROOFS"
TENTHS = 10
PART = 50


def key(sources: Iterable[Path], *texts: str) -> str:
    """Of a proof about these texts, by the installed torch and the code in these files."""
    parts = [*texts, TORCH, *(source.read_text("utf-8") for source in sources)]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


@cache
def recorded(kind: str) -> dict[str, str]:
    """The proofs of a kind that were passed: names, with the keys that they had."""
    path = FOLDER / f"{kind}.json"
    return json.loads(path.read_text("utf-8")) if path.is_file() else {}


def write(kind: str, passed: Mapping[str, str]) -> None:
    """Adds proofs to those that are recorded."""
    path = FOLDER / f"{kind}.json"
    beside = path.with_suffix(".new")
    beside.write_text(json.dumps(recorded(kind) | passed, indent=0, sort_keys=True) + "\n", "utf-8")
    beside.replace(path)


def today() -> int:
    """The day that a run's tenth is chosen by."""
    return int(os.environ.setdefault(DAY, str(date.today().toordinal())))


def due(keys: Mapping[str, str], passed: Mapping[str, str], day: int) -> list[str]:
    """The names of the proofs that are made on a day, where these were passed."""
    return [n for n, key in keys.items() if passed.get(n) != key or zlib.crc32(n.encode()) % TENTHS == day % TENTHS]


def due_now(kind: str, keys: Mapping[str, str], config: pytest.Config) -> list[str]:
    """The names of the proofs of a kind that this run makes."""
    return [*keys] if config.getoption("--prove") else due(keys, recorded(kind), today())


def parts(names: list[str]) -> list[list[str]]:
    """The names, cut for several processes; one that proves cases has to import torch first, so that few are one part."""
    number = max(1, len(names) // PART)
    return [names[start::number] for start in range(number)]


def once(request: pytest.FixtureRequest, kind: str, name: str, key: str, prove: Callable[[], None]) -> None:
    """Make one proof, which fails by an assertion, where this run is to make it."""
    keys = {name: key}
    if due_now(kind, keys, request.config):
        prove()
        passed(request, kind, keys)


def passed(request: pytest.FixtureRequest, kind: str, keys: Mapping[str, str]) -> None:
    """A test made these: the process that collects what the others did records them, with `--prove` or
    `--record`."""
    request.node.user_properties.append(("proofs", (kind, dict(keys))))
