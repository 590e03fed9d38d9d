"""One schema of settings for the command line, `[tool.exportdb]` in pyproject.toml and the editors.

Names are kebab-case; editors may write the same names in camelCase. A later layer wins: defaults, then pyproject.toml,
then the editor, then the command line. Of a project that the user does not trust, what starts code or names what is
started (`Option.runs`) is left out.
"""

from __future__ import annotations

import difflib
import os
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast

from exportdb_rules.disk import read_bytes
from exportdb_rules.finding import Confidence, Mode, Position, Problem

from exportdb_lsp.trust import VARIABLE, is_trusted
from exportdb_lsp.worker.goals import GOALS

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

if TYPE_CHECKING:
    from exportdb_rules.report import Settings as EngineSettings

AssumeDynamic = Literal["none", "batch", "all"]
ModeChoice = Literal["non-strict", "strict", "both"]
Kind = Literal["string", "choice", "strings", "seconds", "bytes", "flag", "targets"]

# What the limits of a process can hold, on every system: a week, a pebibyte.
MAX_SECONDS = 7 * 24 * 3600
MAX_BYTES = 1024**5

MODES: Mapping[str, tuple[Mode, ...]] = {
    "non-strict": (Mode.NON_STRICT,),
    "strict": (Mode.STRICT,),
    "both": (Mode.NON_STRICT, Mode.STRICT),
}


@dataclass(frozen=True, slots=True)
class Option:
    """One setting: its name (kebab-case), what it may be, and what it means."""

    name: str
    kind: Kind
    description: str
    choices: tuple[str, ...] = ()
    editor: bool = True
    """Whether an editor may set it; `targets` belongs to the project alone."""
    runs: bool = False
    """Whether it starts code, or names what is started: then a project's word counts only where the user trusts it."""

    @property
    def attribute(self) -> str:
        """The name of the field of `UserSettings`."""
        return self.name.replace("-", "_")

    @property
    def camel(self) -> str:
        """The name in an editor's settings."""
        head, *tail = self.name.split("-")
        return head + "".join(part.capitalize() for part in tail)


OPTIONS: tuple[Option, ...] = (
    Option("torch-version", "string", "Report the verdicts of this torch version; detected by default."),
    Option("mode", "choice", "Export mode to report verdicts for.", ("non-strict", "strict", "both")),
    Option(
        "assume-dynamic",
        "choice",
        "Input dimensions to treat as dynamic if the project declares none.",
        ("none", "batch", "all"),
    ),
    Option("select", "strings", "Enable only these rules: codes, names or code prefixes (`EDB1`)."),
    Option("ignore", "strings", "Disable these rules: codes, names or code prefixes."),
    Option(
        "min-confidence", "choice", "Minimum confidence of reported findings.", ("certain", "likely", "possible")
    ),
    Option("exclude", "strings", "Files and folders to exclude, as .gitignore patterns."),
    Option("interpreter", "string", "Python interpreter with torch, used to export models.", runs=True),
    Option("timeout", "seconds", "Time limit per export, in seconds."),
    Option("memory-limit", "bytes", "Memory limit per export: a number of bytes, or a size such as `4GiB`."),
    Option(
        "export-on-save",
        "flag",
        "Export the models of a file whenever it is saved (trusted workspaces only).",
        runs=True,
    ),
    Option("inlay-hints", "flag", "Show symbolic shapes next to the code: those of the last export, else those that the code implies."),
    Option("code-lens", "flag", "Show the last verdict and the export commands above every entry point."),
    Option("to", "strings", "What the exported programs are for; by default, what your own call says.", tuple(GOALS)),
    Option("targets", "targets", "Example inputs per model name, as Python source.", editor=False),
)  # fmt: skip

TARGET_KEYS = ("args", "kwargs", "dynamic-shapes", "constructor")


@dataclass(frozen=True)
class TargetSettings:
    """Example inputs of one model, as Python source text. An empty text means: none given."""

    args: str = ""
    kwargs: str = ""
    dynamic_shapes: str = ""
    constructor: str = ""


@dataclass(frozen=True)
class SettingProblem(Problem):
    """A setting that is unknown or wrong, or (a `note`) not taken from a project that is not trusted. An empty name:
    of all of them, where their file cannot be read."""

    name: str = ""


@dataclass(frozen=True)
class UserSettings:
    """Everything that a user can set. `torch_version` and `interpreter` are None until somebody says."""

    torch_version: str | None = None
    mode: ModeChoice = "non-strict"
    assume_dynamic: AssumeDynamic = "none"
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    min_confidence: Confidence = Confidence.LIKELY
    exclude: tuple[str, ...] = ()
    interpreter: str | None = None
    timeout: float = 60.0
    memory_limit: int = 4 * 1024**3
    export_on_save: bool = False
    inlay_hints: bool = False
    code_lens: bool = True
    to: tuple[str, ...] = ()
    targets: Mapping[str, TargetSettings] = field(default_factory=dict[str, TargetSettings])
    project_interpreter: str | None = None
    """What a project that is not trusted names as its interpreter: its packages are read, it is not started."""
    withheld: tuple[SettingProblem, ...] = ()
    """Settings of a project that is not trusted which are left out, and nobody else has set: notes, no errors."""

    @property
    def modes(self) -> tuple[Mode, ...]:
        """The modes that `mode` stands for."""
        return MODES[self.mode]

    def for_engine(self, torch_version: str | None = None, packages: tuple[str, ...] = ()) -> EngineSettings:
        """What the analyser needs of them. A configured version of torch wins over `torch_version`, the detected one.

        Where there is neither, the analyser's own default stands. `packages` are the folders of installed packages.
        """
        from exportdb_rules.declared import Written
        from exportdb_rules.report import Settings

        engine = Settings(
            modes=self.modes,
            assume_dynamic=self.assume_dynamic,
            select=self.select,
            ignore=self.ignore,
            min_confidence=self.min_confidence,
            packages=packages,
            targets=tuple(
                [Written(n, t.args, t.kwargs, t.dynamic_shapes, t.constructor) for n, t in self.targets.items()]
            ),
            to=self.to,
        )
        version = self.torch_version or torch_version
        return engine if version is None else replace(engine, torch_version=version)


def find_option(name: str) -> Option | None:
    """The option of this name, in kebab-case, camelCase or snake_case."""
    return next((o for o in OPTIONS if name in (o.name, o.camel, o.attribute)), None)


def read_values(
    values: Mapping[str, object], base: UserSettings | None = None, *, editor: bool = False
) -> tuple[UserSettings, tuple[SettingProblem, ...]]:
    """Put a layer of settings on top of `base`.

    A value of None leaves the setting as it is: that is how editors say "not set". A wrong value leaves it too, and
    is one of the problems; of a list of rules only those are left out that there are not. With `editor`, names that
    only a project may set are refused.
    """
    settings = base or UserSettings()
    changes: dict[str, Any] = {}
    problems: list[SettingProblem] = []
    for name, value in values.items():
        option = find_option(name)
        if option is None or (editor and not option.editor):
            problems.append(SettingProblem("", _unknown(name, editor), name=name))
            continue
        if value is None:
            continue
        try:
            converted = _convert(option, value)
        except ValueError as error:
            problems.append(SettingProblem("", f"{name}: {error}", name=name))
            continue
        if option.name in ("select", "ignore"):
            converted, unknown = _known_rules(cast("tuple[str, ...]", converted))
            problems += [SettingProblem("", f"{name}: {message}", name=name) for message in unknown]
        changes[option.attribute] = converted
    withheld = tuple(note for note in settings.withheld if note.name.replace("-", "_") not in changes)
    return replace(settings, **changes, withheld=withheld), tuple(problems)


def read_pyproject(
    path: Path, base: UserSettings | None = None, *, trusted: bool | None = None
) -> tuple[UserSettings, tuple[SettingProblem, ...]]:
    """Put the `[tool.exportdb]` of a pyproject.toml on top of `base`. A file that cannot be read is a problem.

    `trusted`: whether the user trusts the project; None: as the environment says. What starts code, or names what is
    started, is taken from a trusted project only: of others it is in `UserSettings.withheld`.
    """
    settings = base or UserSettings()
    try:
        text = read_bytes(path).decode("utf-8-sig")
    except FileNotFoundError:
        if not path.is_symlink():
            return settings, ()
        return settings, (SettingProblem(str(path), "cannot be read: a broken symbolic link"),)
    except (OSError, UnicodeDecodeError) as error:
        return settings, (SettingProblem(str(path), f"cannot be read: {_reason(error)}"),)
    try:
        content = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # an integer of 5,000 digits is not reported as a mistake in TOML
        return settings, (SettingProblem(str(path), f"not valid TOML: {error}", _toml_position(str(error))),)
    tool: object = content.get("tool", {})
    if not isinstance(tool, dict) or "exportdb" not in tool:
        return settings, ()
    table = cast("dict[str, object]", tool)["exportdb"]
    if not isinstance(table, dict):
        message = "[tool.exportdb] must be a table"
        return settings, (SettingProblem(str(path), message, _key_position(text, "exportdb"), name="exportdb"),)
    given, problems = read_values(cast("dict[str, object]", table), settings)
    placed = tuple(replace(p, filename=str(path), position=_key_position(text, p.name)) for p in problems)
    if not (is_trusted(path.parent) if trusted is None else trusted):
        given = _without_power(settings, given, path, text)
    return given, placed


def _without_power(base: UserSettings, given: UserSettings, path: Path, text: str) -> UserSettings:
    """The settings of a project without those that start code, or name what is started."""
    powers = [o for o in OPTIONS if o.runs and getattr(given, o.attribute) != getattr(base, o.attribute)]
    kept = {option.attribute: getattr(base, option.attribute) for option in powers}
    notes = tuple(
        SettingProblem(
            str(path),
            f"{option.name} is ignored: this project is not trusted (trust it in the editor or with {VARIABLE})",
            _key_position(text, option.name),
            note=True,
            name=option.name,
        )
        for option in powers
    )
    return replace(given, **kept, withheld=notes, project_interpreter=given.interpreter)


def _is_there(path: Path) -> bool:
    """Whether there is something under a file's name: who meant it wants to know that it cannot be read."""
    return os.path.lexists(path) and not path.is_dir()


def project_root(path: Path, named: Iterable[Path] = ()) -> Path:
    """The folder of the project that a file or folder belongs to.

    That is the nearest folder above it (or itself) with a pyproject.toml, else with a setup.py, setup.cfg or .git,
    else the nearest of the `named` folders, which the user gave, else the folder itself.
    """
    start = path if path.is_dir() else path.parent
    for folder in (start, *start.parents):
        if _is_there(folder / "pyproject.toml"):
            return folder
    for folder in (start, *start.parents):
        if any((folder / name).exists() for name in ("setup.py", "setup.cfg", ".git")):
            return folder
    around = [folder for folder in named if start.is_relative_to(folder)]
    return max(around, key=lambda folder: len(folder.parts), default=start)


def for_path(path: Path) -> tuple[UserSettings, tuple[SettingProblem, ...]]:
    """The settings that the project of `path` has."""
    return read_pyproject(project_root(path) / "pyproject.toml")


def parse_bytes(text: str) -> int:
    """A number of bytes from `4GiB`, `512 MB`, `1e9` or a plain number. Raises ValueError."""
    match = re.fullmatch(r"\s*([0-9.]+(?:e[0-9]+)?)\s*([KMGT]?)(i?)B?\s*", text, re.IGNORECASE)
    if match is None:
        raise ValueError(f"{text!r} is not a byte size: write 4GiB or 4294967296")
    number, unit, binary = match.groups()
    step = 1024 if binary else 1000
    try:
        size = int(float(number) * step ** ("KMGT".index(unit.upper()) + 1 if unit else 0))
    except (ValueError, OverflowError):
        raise ValueError(f"{text!r} is not a byte size: write 4GiB or 4294967296") from None
    if not 0 < size <= MAX_BYTES:
        raise ValueError(f"must be more than 0 bytes, and at most {MAX_BYTES // 1024**4} TiB")
    return size


def _convert(option: Option, value: object) -> object:
    """The value as `UserSettings` keeps it. Raises ValueError with what it should have been."""
    kind = option.kind
    if kind == "flag":
        if not isinstance(value, bool):
            raise ValueError(f"must be true or false, not {_shown(value)}")
        return value
    if kind == "choice":
        if value not in option.choices:
            raise ValueError(f"must be {_listed(option.choices)}, not {_shown(value)}")
        return Confidence(value) if option.name == "min-confidence" else value
    if kind == "strings":
        strings = _strings(value)
        unknown = [text for text in strings if option.choices and text not in option.choices]
        if unknown:
            raise ValueError(f"must be among {', '.join(option.choices)}, not {_shown(unknown[0])}")
        return tuple(dict.fromkeys(strings)) if option.choices else strings
    if kind == "seconds":
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value <= MAX_SECONDS:
            raise ValueError(f"must be a number of seconds above 0, at most {MAX_SECONDS}, not {_shown(value)}")
        return float(value)
    if kind == "bytes":
        if isinstance(value, bool) or not isinstance(value, (int, float, str)):
            raise ValueError(f"must be a number of bytes, not {_shown(value)}")
        return parse_bytes(str(value))
    if kind == "targets":
        return _targets(value)
    if not isinstance(value, str):
        raise ValueError(f"must be a string, not {_shown(value)}")
    if option.name == "torch-version" and value and not re.match(r"\d+\.\d+", value):
        raise ValueError(f"must be a version of torch such as 2.13.0, not {_shown(value)}")
    return value.strip() or None


def _strings(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return _strings(value.split(","))
    if not isinstance(value, Sequence):
        raise ValueError(f"must be a list of strings, not {_shown(value)}")
    items = cast("Sequence[object]", value)
    if not all(isinstance(item, str) for item in items):
        raise ValueError(f"must be a list of strings, not {_shown(items)}")
    return tuple(text for item in items if (text := str(item).strip()))


def _known_rules(names: tuple[str, ...]) -> tuple[tuple[str, ...], list[str]]:
    """Those codes, beginnings of codes and names that are of some rule, and what is wrong with the others."""
    from exportdb_rules.report import begins
    from exportdb_rules.rule import documented

    known: list[str] = []
    unknown: list[str] = []
    for name in names:
        if any(begins(rule.code, name.upper()) or rule.name == name.lower() for rule in documented()):
            known.append(name)
            continue
        words = [word for rule in documented() for word in (rule.code, rule.name)]
        near = difflib.get_close_matches(name, words, n=1)
        hint = f": did you mean {near[0]}?" if near else "; `exportdb-lsp rule --all` lists them"
        unknown.append(f"no rule {name!r}{hint}")
    return tuple(known), unknown


def _targets(value: object) -> dict[str, TargetSettings]:
    if not isinstance(value, Mapping):
        raise ValueError("must be a table of tables: [tool.exportdb.targets.Net] with args = '(torch.randn(2, 3),)'")
    targets: dict[str, TargetSettings] = {}
    for name, entry in cast("Mapping[str, object]", value).items():
        if not isinstance(entry, Mapping):
            raise ValueError(f"{name} must be a table with {_listed(TARGET_KEYS)}")
        texts: dict[str, str] = {}
        for key, text in cast("Mapping[str, object]", entry).items():
            kebab = key.replace("_", "-")
            if kebab not in TARGET_KEYS:
                raise ValueError(f"{name}.{key} is unknown: a target has {_listed(TARGET_KEYS)}")
            if not isinstance(text, str):
                raise ValueError(f"{name}.{key} must be Python source in quotes, not {_shown(text)}")
            texts[kebab.replace("-", "_")] = text
        targets[name] = TargetSettings(**texts)
    return targets


def _unknown(name: str, editor: bool) -> str:
    names = [option.camel if editor else option.name for option in OPTIONS if option.editor or not editor]
    near = difflib.get_close_matches(name, names, n=1)
    return f"unknown setting {name!r}" + (f": did you mean {near[0]!r}?" if near else "")


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:-1]) + f" or {names[-1]}"


def _shown(value: object) -> str:
    try:
        text = repr(value)
    except ValueError:  # an integer of more digits than Python writes
        return "an integer of more than 4,300 digits"
    return text if len(text) <= 60 else text[:57] + "..."


def _reason(error: OSError | UnicodeDecodeError) -> str:
    return error.strerror or str(error) if isinstance(error, OSError) else "not valid UTF-8"


def _toml_position(message: str) -> Position | None:
    match = re.search(r"\(at line (\d+), column (\d+)\)", message)
    return Position(int(match[1]), int(match[2])) if match else None


def _key_position(text: str, key: str) -> Position | None:
    """Where a key of `[tool.exportdb]` is written. The TOML reader keeps no positions, so the lines are searched."""
    inside = False
    fallback = None
    pattern = re.compile(rf"""\s*["']?({re.escape(key)})["']?\s*[=.\]]""")
    for row, line in enumerate(text.splitlines(), 1):
        header = re.match(r"\s*\[+\s*tool\s*\.\s*exportdb\b(.*)", line)
        if header is not None:
            inside = True
            fallback = fallback or Position(row, 1)
            if re.match(rf"""\s*\.\s*["']?{re.escape(key)}["']?\s*[\].]""", header[1]):
                return Position(row, 1)
        elif re.match(r"\s*\[", line):
            inside = False
        elif inside and (match := pattern.match(line)):
            return Position(row, match.start(1) + 1)
    return fallback
