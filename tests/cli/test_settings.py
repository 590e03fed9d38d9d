"""One schema for pyproject.toml, editors and the command line; what is wrong is named where it is written."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from exportdb_lsp.checking.plan import Plan
from exportdb_lsp.interpreter import find_interpreter, torch_version, typed
from exportdb_lsp.settings import (
    OPTIONS,
    TargetSettings,
    UserSettings,
    parse_bytes,
    project_root,
    read_pyproject,
    read_values,
)
from exportdb_rules.finding import Confidence, Mode, Position

from .conftest import BRANCH, Program


def test_every_option_is_a_field() -> None:
    of_no_option = {"project_interpreter", "withheld"}  # what is left out of a project that is not trusted
    assert {option.attribute for option in OPTIONS} | of_no_option == set(UserSettings.__dataclass_fields__)


def test_both_spellings_are_read() -> None:
    kebab, problems = read_values({"assume-dynamic": "all", "min-confidence": "certain", "memory-limit": "2GiB"})
    camel, more = read_values({"assumeDynamic": "all", "minConfidence": "certain", "memoryLimit": 2 * 1024**3})
    assert kebab == camel
    assert not problems
    assert not more
    assert (kebab.assume_dynamic, kebab.min_confidence, kebab.memory_limit) == ("all", Confidence.CERTAIN, 2 * 1024**3)


def test_a_later_layer_wins_and_null_leaves_the_earlier() -> None:
    base, _ = read_values({"mode": "both", "timeout": 5})
    settings, _ = read_values({"mode": None, "timeout": 7}, base)
    assert (settings.modes, settings.timeout) == ((Mode.NON_STRICT, Mode.STRICT), 7.0)


WRONG = [
    ("mode", "fast", "mode: must be non-strict, strict or both, not 'fast'"),
    ("select", 3, "select: must be a list of strings, not 3"),
    ("select", ["EDB1", 3], "select: must be a list of strings, not ['EDB1', 3]"),
    ("timeout", -1, "timeout: must be a number of seconds above 0, at most 604800, not -1"),
    ("timeout", True, "timeout: must be a number of seconds above 0, at most 604800, not True"),
    ("timeout", 10**400, f"timeout: must be a number of seconds above 0, at most 604800, not 1{'0' * 56}..."),
    ("memory-limit", "9999999 TB", "memory-limit: must be more than 0 bytes, and at most 1024 TiB"),
    ("memory-limit", "much", "memory-limit: 'much' is not a byte size: write 4GiB or 4294967296"),
    ("code-lens", "yes", "code-lens: must be true or false, not 'yes'"),
    ("torch-version", "new", "torch-version: must be a version of torch such as 2.13.0, not 'new'"),
    ("targets", {"Net": {"arg": "()"}}, "targets: Net.arg is unknown: a target has args, kwargs, dynamic-shapes or constructor"),
    ("targets", {"Net": "()"}, "targets: Net must be a table with args, kwargs, dynamic-shapes or constructor"),
    ("modes", "both", "unknown setting 'modes': did you mean 'mode'?"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "value", "message"), WRONG)
def test_a_wrong_value_is_named_and_leaves_the_setting(name: str, value: object, message: str) -> None:
    settings, (problem,) = read_values({name: value})
    assert problem.message == message
    assert settings == UserSettings()


@pytest.mark.parametrize("name", ["select", "ignore"])
def test_rules_that_there_are_not_are_named_and_the_others_kept(name: str) -> None:
    value = ["EDB1", "tensor-branch", "edb201", "tensor-brunch", "unheard-of"]
    settings, problems = read_values({name: value})
    assert [problem.message for problem in problems] == [
        f"{name}: no rule 'tensor-brunch': did you mean tensor-branch?",
        f"{name}: no rule 'unheard-of'; `exportdb-lsp rule --all` lists them",
    ]
    assert getattr(settings, name) == ("EDB1", "tensor-branch", "edb201")


def test_a_rule_that_there_is_not_is_told_at_its_place(run: Program) -> None:
    run.write("pyproject.toml", "[tool.exportdb]\nignore = ['tensor-brunch']\n")
    run.write("net.py", BRANCH)
    done = run("check", "net.py", "--select", "EDB1,X9")
    assert done.status == 2
    assert "error: pyproject.toml:2:1: ignore: no rule 'tensor-brunch': did you mean tensor-branch?" in done.err
    assert "error: select: no rule 'X9'; `exportdb-lsp rule --all` lists them" in done.err
    assert "EDB101" in done.out


def test_targets_belong_to_the_project() -> None:
    _, (problem,) = read_values({"targets": {}}, editor=True)
    assert "unknown setting 'targets'" in problem.message
    settings, _ = read_values({"targets": {"Net": {"args": "(1,)", "dynamic_shapes": "None"}}})
    assert settings.targets == {"Net": TargetSettings(args="(1,)", dynamic_shapes="None")}


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("[tool.exportdb]\nmode = 'x'\n", (2, 1)),
        ("[project]\nmode = 1\n[tool.exportdb]\n  mode = 'x'\n", (4, 3)),
        ("[tool.exportdb]\nmode.x = 1\n", (2, 1)),
        ("[tool.exportdb.mode]\nx = 1\n", (1, 1)),
        ("tool.exportdb.mode = 'x'\n", None),
        ("[tool.exportdb]\nmode = \n", (2, 8)),
    ],
)
def test_a_problem_has_its_place(tmp_path: Path, text: str, place: tuple[int, int] | None) -> None:
    path = tmp_path / "pyproject.toml"
    path.write_text(text)
    _, (problem,) = read_pyproject(path)
    assert problem.filename == str(path)
    assert problem.position == (place and Position(*place))


def test_a_pyproject_that_is_no_text_is_a_problem(tmp_path: Path) -> None:
    path = tmp_path / "pyproject.toml"
    path.write_bytes(b"\xff\xfe\x00")
    _, (problem,) = read_pyproject(path)
    assert "not valid UTF-8" in problem.message


@pytest.mark.parametrize("number", ["9" * 5_000, "0x" + "f" * 5_000])
def test_a_number_that_python_cannot_write_out_is_a_problem(tmp_path: Path, number: str) -> None:
    path = tmp_path / "pyproject.toml"
    path.write_text(f"[tool.exportdb]\ntimeout = {number}\n")
    settings, (problem,) = read_pyproject(path)
    assert settings == UserSettings()
    assert problem.filename == str(path)


def test_a_missing_pyproject_is_none(tmp_path: Path) -> None:
    assert read_pyproject(tmp_path / "pyproject.toml") == (UserSettings(), ())


@pytest.mark.parametrize(
    ("text", "size"), [("1024", 1024), ("4GiB", 4 * 1024**3), ("1.5 MB", 1_500_000), ("1e9", 10**9)]
)
def test_sizes(text: str, size: int) -> None:
    assert parse_bytes(text) == size


def test_the_project_is_the_nearest_pyproject(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "inner" / "deep").mkdir(parents=True)
    assert project_root(tmp_path / "inner" / "deep" / "net.py") == tmp_path
    (tmp_path / "inner" / "pyproject.toml").write_text("")
    assert project_root(tmp_path / "inner" / "deep") == tmp_path / "inner"


def test_without_a_marker_the_project_is_the_named_folder(tmp_path: Path) -> None:
    deep = tmp_path / "package" / "models"
    deep.mkdir(parents=True)
    path = deep / "net.py"
    assert project_root(path) == deep
    assert project_root(path, [tmp_path, tmp_path / "package", tmp_path / "other"]) == tmp_path / "package"
    plan = Plan({})
    plan.named = (tmp_path,)
    assert [group.root for group in plan.groups([path, tmp_path / "package" / "run.py"])] == [tmp_path]
    (tmp_path / "package" / "setup.cfg").write_text("")
    assert project_root(path, [tmp_path]) == tmp_path / "package"


def test_torch_is_found_without_running_the_interpreter(tmp_path: Path) -> None:
    python = tmp_path / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text("#!/bin/sh\necho ran > " + str(tmp_path / "mark") + "\n")
    python.chmod(0o755)
    assert torch_version(str(python)) is None
    packages = tmp_path / ".venv" / "lib" / "python3.12" / "site-packages"
    (packages / "torch").mkdir(parents=True)
    (packages / "torch" / "version.py").write_text("__version__ = '2.9.0a0+git1'\n")
    assert torch_version(str(python)) == "2.9.0a0+git1"
    (packages / "torch-2.9.1.dist-info").mkdir()
    assert torch_version(str(python)) == "2.9.1"
    assert not (tmp_path / "mark").exists()


def test_an_interpreter_of_the_project_is_relative_to_it(tmp_path: Path) -> None:
    assert find_interpreter("envs/a/bin/python", tmp_path) == str(tmp_path / "envs/a/bin/python")
    assert find_interpreter("/usr/bin/python3", tmp_path) == "/usr/bin/python3"


def test_an_interpreter_that_is_typed_is_relative_to_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert typed("envs/a/bin/python") == str(tmp_path / "envs/a/bin/python")
    assert typed("../b/python") == str(tmp_path.parent / "b/python")
    assert [typed(name) for name in ("python3.12", "/usr/bin/python3", None)] == [
        "python3.12",
        "/usr/bin/python3",
        None,
    ]


def test_nobodys_home_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a container whose user has no entry in the list of users."""
    monkeypatch.setattr(sys, "prefix", sys.base_prefix)
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)
    for name in ("VIRTUAL_ENV", "CONDA_PREFIX", "PYENV_ROOT", "PYENV_VERSION", "HOME"):
        monkeypatch.delenv(name, raising=False)
    assert find_interpreter(None, tmp_path)


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine on which nothing is active and this program has an environment of its own, without torch."""
    monkeypatch.setattr(sys, "prefix", sys.base_prefix)
    for name in ("VIRTUAL_ENV", "CONDA_PREFIX", "CONDA_DEFAULT_ENV", "PYENV_VERSION"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path / "pyenv"))
    (tmp_path / "project").mkdir()
    return tmp_path


def environment(folder: Path, torch: bool = True) -> str:
    """Makes an environment, as far as it shows from outside; the path of its Python."""
    python = folder / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text("#!/bin/sh\nexit 1\n")
    python.chmod(0o755)
    if torch:
        (folder / "lib" / "python3.12" / "site-packages" / "torch-2.8.0.dist-info").mkdir(parents=True)
    return str(python)


def test_the_interpreter_of_each_kind_of_environment(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = bare / "project"

    def found() -> str:
        return find_interpreter(None, project)

    assert found() == sys.executable
    # The system's, if it has torch.
    environment(bare, torch=False)
    assert found() == sys.executable
    (bare / "lib" / "python3.12" / "site-packages" / "torch-2.8.0.dist-info").mkdir(parents=True)
    assert found() == str(bare / "bin" / "python")
    # pyenv's choice: of the machine, of the project, of the shell.
    versions = {name: environment(bare / "pyenv" / "versions" / name) for name in ("3.11.9", "3.12.4", "3.13.0")}
    (bare / "pyenv" / "version").write_text("3.11.9\n")
    assert found() == versions["3.11.9"]
    (project / ".python-version").write_text("3.12.4\n")
    assert found() == versions["3.12.4"]
    monkeypatch.setenv("PYENV_VERSION", "3.13.0")
    assert found() == versions["3.13.0"]
    # What uv, poetry and python -m venv make goes before all of these; conda's base, that is always active, does not.
    base = environment(bare / "conda")
    monkeypatch.setenv("CONDA_PREFIX", str(bare / "conda"))
    monkeypatch.setenv("CONDA_DEFAULT_ENV", "base")
    assert found() == versions["3.13.0"]
    own = environment(project / ".venv", torch=False)
    assert found() == own
    # An environment that somebody activated goes before the project's folder.
    monkeypatch.setenv("CONDA_DEFAULT_ENV", "research")
    assert found() == base
    active = environment(bare / "active")
    monkeypatch.setenv("VIRTUAL_ENV", str(bare / "active"))
    assert found() == active


def test_verdicts_are_for_the_projects_torch(run: Program) -> None:
    from exportdb_lsp.checking.plan import Plan

    run.write("pyproject.toml", "[tool.exportdb]\ninterpreter = 'env/bin/python'\n")
    run.write("env/lib/python3.11/site-packages/torch-2.6.0.dist-info/METADATA", "")
    assert Plan({}).engine_settings(run.folder).torch_version == "2.6.0"
    assert Plan({"torch-version": "2.8.0"}).engine_settings(run.folder).torch_version == "2.8.0"
