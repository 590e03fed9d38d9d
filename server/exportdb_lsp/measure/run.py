"""Starting the probe in an interpreter and collecting what it measures."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, cast

from exportdb_cases.support_file import Record, SupportFile
from exportdb_rules.finding import Mode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from exportdb_cases.collection import Case

_PROBE = Path(__file__).parent / "probe"

# The probe is loaded as a package of its own from its folder: putting the folder above it on the path would let the
# measured interpreter import everything that lives beside this project.
_BOOTSTRAP = """
import gc
import sys
# torch is hundreds of thousands of objects, none of them garbage.
gc.disable()
# The current folder, which `-c` puts there: its files are nobody's modules here.
sys.path[:] = [entry for entry in sys.path if entry]
import importlib.util
folder = sys.argv[1]
locate = importlib.util.spec_from_file_location
spec = locate("exportdb_probe", folder + "/__init__.py", submodule_search_locations=[folder])
package = importlib.util.module_from_spec(spec)
sys.modules["exportdb_probe"] = package
spec.loader.exec_module(package)
from exportdb_probe.main import main
main()
"""


class MeasureError(Exception):
    """The interpreter could not measure anything; the message says why, in one line."""


@dataclass(frozen=True, slots=True)
class Progress:
    """One more record is there."""

    done: int
    total: int
    case: str
    mode: Mode
    record: Record


@dataclass(frozen=True, slots=True)
class MeasureRequest:
    """What to measure, and in which interpreter.

    `originals` gives, for a case that is the rewritten form of another file, that file: eager is compared with it.
    """

    cases: tuple[Case, ...]
    modes: tuple[Mode, ...] = (Mode.NON_STRICT, Mode.STRICT)
    interpreter: str = sys.executable
    official: bool = False
    timeout: float = 60.0
    jobs: int = 1
    originals: Mapping[str, Path] = field(default_factory=dict[str, Path])


@dataclass(slots=True)
class _Collected:
    torch: str = ""
    python: str = ""
    total: int = 0
    records: dict[str, dict[str, Record]] = field(default_factory=dict[str, dict[str, Record]])


def measure(request: MeasureRequest, *, on_progress: Callable[[Progress], None] | None = None) -> SupportFile:
    """Export every case for real and return what happened.

    Raises:
        MeasureError: the interpreter does not exist, has no torch, or ended early.
    """
    order = {
        "cases": [_ordered(case, request.originals) for case in request.cases],
        "official": request.official,
        "modes": [mode.value for mode in request.modes],
        "timeout": request.timeout,
        "jobs": request.jobs,
    }
    # A file, not a pipe: torch writes its log there while nobody reads.
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as log:
        collected, status = _run(request.interpreter, order, log, on_progress)
        log.seek(0)
        complaint = log.read().strip().splitlines()
    done = sum(len(modes) for modes in collected.records.values())
    if not collected.torch or done < collected.total:
        reason = complaint[-1] if complaint else f"it ended with {status}"
        raise MeasureError(f"{request.interpreter} could not measure: {reason}")
    fingerprints = {case.name: case.fingerprint for case in request.cases}
    return SupportFile(collected.torch, collected.python, collected.records, fingerprints)


def _ordered(case: Case, originals: Mapping[str, Path]) -> dict[str, str]:
    original = originals.get(case.name)
    return {"name": case.name, "path": str(case.path)} | ({"original": str(original)} if original else {})


def _run(
    interpreter: str, order: Mapping[str, Any], log: IO[str], on_progress: Callable[[Progress], None] | None
) -> tuple[_Collected, int]:
    try:
        process = subprocess.Popen(
            [interpreter, "-c", _BOOTSTRAP, str(_PROBE)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            encoding="utf-8",
        )
    except OSError as error:
        raise MeasureError(f"cannot start {interpreter}: {error.strerror}") from error
    with process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            with contextlib.suppress(BrokenPipeError):  # it has ended: what it wrote by then says why
                process.stdin.write(json.dumps(order))
                process.stdin.close()
            collected = _collect(process.stdout, on_progress)
        except BaseException:
            process.kill()
            raise
    return collected, process.returncode


def _collect(lines: Iterable[str], on_progress: Callable[[Progress], None] | None) -> _Collected:
    collected = _Collected()
    done = 0
    for line in lines:
        message = _message(line)
        if message is None:
            continue
        if "torch" in message:
            collected.torch, collected.python = message["torch"], message["python"]
            collected.total = message["total"]
            continue
        mode = Mode(message["mode"])
        record = Record.from_json(message["record"])
        collected.records.setdefault(message["case"], {})[mode.value] = record
        done += 1
        if on_progress is not None:
            on_progress(Progress(done, collected.total, message["case"], mode, record))
    return collected


def _message(line: str) -> dict[str, Any] | None:
    """What the probe says; None for what an interpreter prints before the probe has the pipe for itself."""
    try:
        message: object = json.loads(line)
    except ValueError:
        return None
    return cast("dict[str, Any]", message) if isinstance(message, dict) else None
