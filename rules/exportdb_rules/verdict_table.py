"""What export does with each case, version by version: the only ground on which a rule may claim a verdict."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from exportdb_cases import support_file
from packaging.version import InvalidVersion, Version

from .finding import Mode, Verdict

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from pathlib import Path


class GoalRecord(NamedTuple):
    """What the tool of a goal made of a case, and whether a dimension that was declared dynamic is a number there."""

    verdict: Verdict
    frozen: bool


@lru_cache(maxsize=1)
def versions() -> tuple[str, ...]:
    """The versions of torch that were measured, oldest first."""
    return _in_order(support_file.FOLDER.glob("*.json"))


def fixed_versions() -> tuple[str, ...]:
    """The versions of torch on which the texts were measured that the fixes make of the cases, oldest first."""
    return _in_order((support_file.FOLDER / "fixed").glob("*.json"))


def _in_order(files: Iterable[Path]) -> tuple[str, ...]:
    return tuple(str(version) for version in sorted(Version(path.stem) for path in files))


@lru_cache(maxsize=4096)
def verdict(case: str, torch_version: str, mode: Mode) -> Verdict | None:
    """What the export of `case` was measured to do in `mode`.

    A version that was not measured has the verdict of the nearest measured one below; below the oldest, of the oldest.
    The same holds for a case that a version's file does not have.

    Args:
        case: the name of a case.
        torch_version: as `torch.__version__` has it; a local part (`+cpu`) does not matter.

    Returns:
        None where no version has a measurement of the case.

    Raises:
        ValueError: `torch_version` is not a version.
    """
    for version in _nearest(versions(), torch_version):
        record = records(version).get(case, {}).get(mode.value)
        if record is not None and record.verdict is not None:
            return Verdict(record.verdict)
    return None


@lru_cache(maxsize=4096)
def goal_record(case: str, goal: str, torch_version: str, mode: Mode) -> GoalRecord | None:
    """What the tool of a goal was measured to make of a case, on the nearest measured version.

    Returns:
        None where that was not measured, or torch.export does something else with the case on `torch_version` than on the
        version that was measured.
    """
    for version in _nearest(_goal_versions(goal), torch_version):
        record = _goal(goal, version).records.get(case, {}).get(mode.value)
        if record is None or record.verdict is None:
            continue
        if verdict(case, version, mode) is not verdict(case, torch_version, mode):
            return None
        return GoalRecord(Verdict(record.verdict), bool(record.frozen))
    return None


@lru_cache(maxsize=8)
def _goal_versions(goal: str) -> tuple[str, ...]:
    return _in_order((support_file.FOLDER / goal).glob("*.json"))


@lru_cache(maxsize=8)
def _goal(goal: str, version: str) -> support_file.SupportFile:
    return support_file.read(support_file.goal_path_for(goal, version))


def _nearest(measured: tuple[str, ...], torch_version: str) -> list[str]:
    """The measured versions below one, the nearest first; then those above it."""
    wanted = release(torch_version)
    below = [version for version in reversed(measured) if Version(version) <= wanted]
    return below + [version for version in measured if Version(version) > wanted]


@lru_cache(maxsize=32)
def records(version: str) -> dict[str, dict[str, support_file.Record]]:
    """All that was measured on this very version: case -> mode -> record."""
    content = support_file.read(support_file.path_for(version))
    return {case: dict(modes) for case, modes in content.records.items()}


@lru_cache(maxsize=1)
def fixed_cases() -> frozenset[str]:
    """The cases that the fixes change, on some measured version."""
    return frozenset(case for version in fixed_versions() for case in _fixed(version).records)


def fixed_measured(case: str, text: str) -> dict[str, tuple[str | None, ...]]:
    """What became of a fixed case, mode by mode in the order of `Mode`, on the versions that measured this very text.

    Args:
        case: the name of the case.
        text: the fingerprint of the text that the fixes make of it; what they make may depend on the version.
    """
    found: dict[str, tuple[str | None, ...]] = {}
    for version in fixed_versions():
        content = _fixed(version)
        if content.fingerprints.get(case) == text:
            modes = content.records.get(case, {})
            found[version] = tuple(record.verdict if (record := modes.get(mode.value)) else None for mode in Mode)
    return found


@lru_cache(maxsize=32)
def _fixed(version: str) -> support_file.SupportFile:
    return support_file.read(support_file.fixed_path_for(version))


def measured(case: str, version: str) -> tuple[str | None, ...]:
    """What this very version was measured to do with a case, mode by mode in the order of `Mode`."""
    modes = records(version).get(case, {})
    return tuple(record.verdict if (record := modes.get(mode.value)) else None for mode in Mode)


def spans(cases: Collection[str]) -> tuple[tuple[str, str], ...]:
    """The measured versions from oldest to newest, as first and last of neighbours that agree on all of `cases`."""
    found: list[tuple[str, str]] = []
    last: list[tuple[str | None, ...]] | None = None
    for version in versions():
        column = [measured(case, version) for case in cases]
        if column == last:
            found[-1] = (found[-1][0], version)
        else:
            found.append((version, version))
        last = column
    return tuple(found)


def span_title(span: tuple[str, str]) -> str:
    """A span of versions as the head of a column."""
    return span[0] if span[0] == span[1] else f"{span[0]} … {span[1]}"


def graph_breaks(case: str) -> tuple[str, ...]:
    """The ids of Dynamo's graph breaks that strict export was measured to end in, over all versions."""
    found = {record.graph_break for version in versions() for record in records(version).get(case, {}).values()}
    return tuple(sorted(filter(None, found)))


def release(torch_version: str) -> Version:
    """The released version that a version string belongs to: a nightly of 2.14 is taken for 2.14."""
    try:
        parsed = Version(torch_version)
    except InvalidVersion as error:
        raise ValueError(f"not a version of torch: {torch_version!r}") from error
    return Version(".".join(str(part) for part in (*parsed.release, 0, 0)[:3]))
