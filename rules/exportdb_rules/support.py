"""What export does with each case, version by version: the only ground on which a rule may claim a verdict."""

from __future__ import annotations

from functools import lru_cache

from exportdb_cases import support_file
from packaging.version import InvalidVersion, Version

from .finding import Mode, Verdict


@lru_cache(maxsize=1)
def versions() -> tuple[str, ...]:
    """The versions of torch that were measured, oldest first."""
    found = [Version(path.stem) for path in support_file.FOLDER.glob("*.json")]
    return tuple(str(version) for version in sorted(found))


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
    wanted = release(torch_version)
    measured = versions()
    below = [version for version in reversed(measured) if Version(version) <= wanted]
    above = [version for version in measured if Version(version) > wanted]
    for version in below + above:
        record = records(version).get(case, {}).get(mode.value)
        if record is not None and record.verdict is not None:
            return Verdict(record.verdict)
    return None


@lru_cache(maxsize=32)
def records(version: str) -> dict[str, dict[str, support_file.Record]]:
    """All that was measured on this very version: case -> mode -> record."""
    content = support_file.read(support_file.path_for(version))
    return {case: dict(modes) for case, modes in content.records.items()}


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
