"""What a survey knows of one class in one way of exporting it, and the file of rows that a survey can go on from."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import asdict, dataclass, replace
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from exportdb_rules.disk import read_text

from exportdb_lsp.confirm.result import Frame, Outcome
from exportdb_lsp.files.rewriting import replace_atomically

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from exportdb_lsp.confirm.result import ExportResult


class Setting(str, Enum):
    """A way of exporting: both modes with the shapes that are declared, and `Dim.AUTO` for every size, in non-strict; then,
    as in non-strict, for each goal, by its name."""

    NON_STRICT = "non-strict"
    STRICT = "strict"
    AUTO = "auto"
    ONNX = "onnx"
    EXECUTORCH = "executorch"
    AOTI = "aoti"


# What every survey tries.
ALWAYS = (Setting.NON_STRICT, Setting.STRICT, Setting.AUTO)


@dataclass(frozen=True, slots=True)
class FailingLine:
    """A line of source where an export went wrong, and the code of the rule by which `check` reports it (or empty)."""

    filename: str
    """Relative to the surveyed folder where it lies below it."""
    row: int
    code: str
    rule: str = ""
    message: str = ""

    @property
    def place(self) -> str:
        """`FILE:ROW`."""
        return f"{self.filename}:{self.row}"


@dataclass(frozen=True, slots=True)
class Row:
    """One class, exported in one way.

    `line` is where torch failed, or where the results part; `later` are the failures behind it that `draft_export`
    found. `fixed` are the dimensions that `Dim.AUTO` did not keep dynamic, each with the line that fixed it.
    """

    filename: str
    """Of the class, relative to the surveyed folder, with forward slashes."""
    name: str
    row: int
    setting: Setting
    outcome: Outcome
    message: str
    exception: str = ""
    line: FailingLine | None = None
    later: tuple[FailingLine, ...] = ()
    fixed: tuple[FailingLine, ...] = ()
    inputs: str = ""
    """The example inputs, as a comment that can be put above the class."""
    seconds: float = 0.0
    basis: str = ""
    """Of the sources and versions that it was measured with."""

    @property
    def target(self) -> str:
        """`FILE::NAME`, as `exportdb-lsp export` takes it."""
        return f"{self.filename}::{self.name}"

    def to_json(self) -> dict[str, Any]:
        """All of it."""
        return asdict(self) | {"setting": self.setting.value, "outcome": self.outcome.value}

    @classmethod
    def from_json(cls, value: object) -> Row:
        """What `to_json` gave.

        Raises:
            TypeError, ValueError, KeyError: it did not.
        """
        if not isinstance(value, dict):
            raise TypeError("no object")
        fields = cast("dict[str, Any]", value)
        line = fields["line"]
        return replace(
            cls(**fields),
            setting=Setting(fields["setting"]),
            outcome=Outcome(fields["outcome"]),
            line=None if line is None else FailingLine(**line),
            later=tuple(FailingLine(**one) for one in fields["later"]),
            fixed=tuple(FailingLine(**one) for one in fields["fixed"]),
        )


def row_of(result: ExportResult, setting: Setting, folder: Path, filename: str, row: int, basis: str) -> Row:
    """The row of a result."""

    def line(frame: Frame, rule: str = "", message: str = "") -> FailingLine:
        path = Path(frame.filename)
        shown = path.relative_to(folder) if path.is_relative_to(folder) else path
        return FailingLine(shown.as_posix(), frame.row, frame.code, rule, message)

    return Row(
        filename=filename,
        name=result.target,
        row=row,
        setting=setting,
        outcome=result.outcome,
        message=result.message,
        exception=result.exception or "",
        line=line(result.frame, result.rule.code if result.rule else "") if result.frame else None,
        later=tuple(line(f.frame, f.code, f.message) for f in result.failures if f.reached and f.frame),
        fixed=tuple(
            line(one.cause, message=f"{one.input}[{one.axis}] = {one.size}")
            for one in result.dimensions
            if not one.dynamic and one.cause is not None
        ),
        inputs=result.inputs.as_comment() if result.inputs else "",
        seconds=round(result.seconds, 3),
        basis=basis,
    )


def basis_of(texts: Iterable[str], versions: Sequence[str]) -> str:
    """A key of all that rows depend on, as far as it is known: the sources below the folder, and the versions."""
    digest = hashlib.sha256()
    for part in (*versions, *texts):
        digest.update(part.encode("utf-8", "surrogatepass") + b"\0")
    return digest.hexdigest()[:16]


class RowsError(ValueError):
    """A file of rows that is none; the message names the file and the line."""


class RowsFile:
    """Rows as JSON Lines. What is added is there at once, so that a survey that was ended goes on from there."""

    def __init__(self, path: Path, basis: str) -> None:
        """Take the rows of a file, if it exists; those of another basis leave it.

        Raises:
            RowsError: the file holds something else.
            OSError: it cannot be read or written.
        """
        self._path = path
        text = read_text(str(path)) if path.exists() else ""
        lines = text.split("\n")
        # What follows the last line break was being written when the survey was ended.
        self.rows = [
            row for number, line in enumerate(lines[:-1], 1) if (row := self._read(line, number)).basis == basis
        ]
        data = "".join(_line(row) for row in self.rows)
        if data != text:
            replace_atomically(path, data.encode())

    def _read(self, line: str, number: int) -> Row:
        try:
            return Row.from_json(json.loads(line))
        except (TypeError, ValueError, KeyError, RecursionError) as error:
            raise RowsError(f"{self._path}:{number}: not a row of a survey") from error

    def add(self, rows: Sequence[Row]) -> None:
        """Write rows behind the others.

        Raises:
            OSError: the file cannot be written.
        """
        self.rows += rows
        with self._path.open("ab") as file:
            file.write("".join(map(_line, rows)).encode())
            file.flush()
            os.fsync(file.fileno())


def _line(row: Row) -> str:
    return json.dumps(row.to_json()) + "\n"
