"""What is kept between runs: a run that uses it says what a run without it says, and a stale answer is never given."""

from __future__ import annotations

import itertools
import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from exportdb_lsp.checking import cache_store as keeping
from exportdb_lsp.checking import file_analyzer, record
from exportdb_lsp.checking.cache_store import CacheStore
from exportdb_rules import engine, project
from exportdb_rules.finding import Applicability, Edit, Fix, Position, Span
from exportdb_rules.names import Names, read_names
from exportdb_rules.report import Problem, Unit

from .conftest import BRANCH, CLEAN, DATA, Program

HELPER = "def positive(x):\n    return x.sum() > 0\n"
HARMLESS = "def positive(x):\n    return x.dim() > 0\n"
USER = """\
import torch
from torch import nn
from helper import positive


class Net(nn.Module):
    def forward(self, x):
        if positive(x):
            return x + 1
        return x - 1
"""
FORMATS = ("text", "json", "jsonl", "github", "gitlab", "sarif")


def kept(run: Program) -> list[Path]:
    return sorted((run.folder / ".cache").rglob("*.json"))


@pytest.fixture
def analysed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files whose entries were traced."""
    names: list[str] = []
    check_unit = engine.check_unit

    def watched(project: engine.Project, filename: str, settings: engine.Settings, *, keep: bool) -> Unit:
        names.append(Path(filename).name)
        return check_unit(project, filename, settings, keep=keep)

    monkeypatch.setattr(engine, "check_unit", watched)
    return names


@pytest.mark.parametrize("output_format", FORMATS)
def test_the_second_run_says_the_same_and_traces_nothing(
    run: Program, analysed: list[str], output_format: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    run.write("net.py", BRANCH)
    run.write("scale.py", DATA)
    run.write("user.py", USER)
    run.write("helper.py", HELPER)
    run.write("broken.py", BRANCH + "\n\ndef broken(:\n    pass\n")
    run.write("quiet.py", BRANCH.replace("> 0:", "> 0:  # exportdb: ignore") + "\n# exportdb: ignore[EDB201]\n")
    fresh = run("check", "--no-cache", "--output-format", output_format)
    first = run("check", "--output-format", output_format)
    assert (fresh.status, fresh.out, fresh.err) == (first.status, first.out, first.err)
    assert "EDB101" in first.out
    analysed.clear()
    monkeypatch.setattr(engine, "fixes", None)
    second = run("check", "--output-format", output_format)
    assert (second.status, second.out, second.err) == (first.status, first.out, first.err)
    assert analysed == []


def test_what_files_pass_on_by_stars_is_read_once(run: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    """The index of names is kept with the results, by the content of the files."""
    run.write("user.py", USER.replace("helper", "package"))
    run.write("package/__init__.py", "from .first import *\nfrom .second import *\n")
    first = run.write("package/first.py", "other = 1\n")
    run.write("package/second.py", HELPER)
    assert "user.py:8:12: EDB101" in run("check").out
    texts: list[str] = []

    def watched(text: str, name: str, *, is_package: bool) -> Names | None:
        texts.append(text)
        return read_names(text, name, is_package=is_package)

    monkeypatch.setattr(project, "read_names", watched)
    assert "user.py:8:12: EDB101" in run("check").out
    assert texts == []
    first.write_text(HARMLESS)
    assert run("check").status == 0
    assert HARMLESS in texts


def test_an_installed_package_is_looked_at_again(run: Program, analysed: list[str]) -> None:
    packages = run.folder / "venv" / "lib" / "python3.11" / "site-packages"
    packages.mkdir(parents=True)
    for name in ("bin", "lib"):
        (run.folder / "venv" / name).mkdir(exist_ok=True)
    (run.folder / "venv/bin/python").touch()
    (run.folder / "venv/pyvenv.cfg").write_text("home = /nowhere\n")
    run.write("pyproject.toml", '[tool.exportdb]\ninterpreter = "venv/bin/python"\n')
    run.write(
        "net.py", BRANCH.replace("(nn.Module)", "(Stone)").replace("import torch\n", "from lib import Stone\n", 1)
    )
    assert run("check", "net.py").status == 0
    analysed.clear()
    assert run("check", "net.py").status == 0
    assert analysed == []
    (packages / "lib.py").write_text("import torch\nclass Stone(torch.nn.Module): pass\n")
    assert "EDB101" in run("check", "net.py").out
    assert analysed == ["net.py"]
    (packages / "lib.py").write_text("class Stone: pass\n")
    assert run("check", "net.py").status == 0


def test_only_what_an_edit_can_change_is_traced_again(run: Program, analysed: list[str]) -> None:
    run.write("net.py", BRANCH)
    run.write("user.py", USER)
    helper = run.write("helper.py", HARMLESS)
    assert "user.py" not in run("check").out
    helper.write_text(HELPER)
    analysed.clear()
    assert "user.py:8:12: EDB101" in run("check").out
    assert sorted(analysed) == ["helper.py", "user.py"]


def test_a_change_behind_the_change_of_another_file_counts(run: Program) -> None:
    """user.py imports middle.py, which only passes on what end.py has."""
    run.write("user.py", USER.replace("helper", "middle"))
    run.write("middle.py", "from end import positive\n")
    end = run.write("end.py", HARMLESS)
    assert run("check", "user.py").status == 0
    end.write_text(HELPER)
    assert run("check", "user.py").status == 1
    end.write_text(HARMLESS)
    assert run("check", "user.py").status == 0


def test_a_part_of_the_project_that_was_checked_meanwhile_makes_nothing_stale(run: Program) -> None:
    """A run that does not look at user.py must not make its old answer look like one for the new helper.py."""
    run.write("user.py", USER)
    helper = run.write("helper.py", HARMLESS)
    run.write("other.py", USER.replace("Net", "Other"))
    assert run("check", "--exit-zero", ".").status == 0
    helper.write_text(HELPER)
    assert "EDB101" in run("check", "other.py").out
    assert "user.py:8:12: EDB101" in run("check", ".").out


def test_a_file_that_appears_where_one_was_looked_for(run: Program) -> None:
    run.write("user.py", USER)
    assert run("check").status == 0
    run.write("helper.py", HELPER)
    assert run("check").status == 1
    # Nearer than the one before: the package's own folder wins over `src`.
    (run.folder / "helper.py").unlink()
    assert run("check").status == 0
    run.write("src/helper.py", HELPER)
    assert run("check").status == 1
    run.write("helper/__init__.py", HARMLESS)
    assert run("check").status == 0


def test_a_folder_that_becomes_a_package(run: Program) -> None:
    """With an `__init__.py` beside it the file is imported as `part.user`, and finds its helper elsewhere."""
    run.write("part/user.py", USER)
    run.write("part/helper.py", HARMLESS)
    run.write("helper.py", HELPER)
    assert run("check").status == 0
    run.write("part/__init__.py", "")
    assert run("check").status == 1


def test_a_folder_inside_of_what_becomes_a_package(run: Program) -> None:
    """A folder without an `__init__.py` is part of the package that it is in; a script in it finds what is beside it."""
    run.write("lib/part/inner/user.py", USER.replace("helper", "part.inner.helper"))
    run.write("lib/part/inner/helper.py", HELPER)
    assert run("check", "lib/part/inner/user.py").status == 0
    run.write("lib/part/__init__.py", "")
    assert run("check", "lib/part/inner/user.py").status == 1
    run.write("lib/part/inner/user.py", USER)
    assert run("check", "lib/part/inner/user.py").status == 1


def test_settings_are_part_of_the_question(run: Program) -> None:
    run.write("net.py", BRANCH)
    assert run("check").status == 1
    assert run("check", "--ignore", "EDB101").status == 0
    run.write("pyproject.toml", "[tool.exportdb]\nignore = ['EDB1']\n")
    assert run("check").status == 0
    run.write("pyproject.toml", "[tool.exportdb]\n")
    assert run("check").status == 1


def test_another_analyser_finds_everything_anew(
    run: Program, analysed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run.write("net.py", BRANCH)
    run("check")
    analysed.clear()
    monkeypatch.setattr(keeping, "program_digest", lambda: "another")
    run("check")
    assert analysed == ["net.py"]


def test_the_digest_of_the_program_changes_with_its_files(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    one, other = tmp_path / "one.py", tmp_path / "other.py"
    one.write_text("1")
    other.write_text("2")
    digests = set()
    for path in (one, other):
        monkeypatch.setattr(keeping, "_parts", lambda path=path: [path])
        keeping.program_digest.cache_clear()
        digests.add(keeping.program_digest())
    keeping.program_digest.cache_clear()
    assert len(digests) == 2


def damage(data: bytes) -> dict[str, bytes]:
    mark, _, body = data.partition(b"\n")
    other = json.loads(body)
    other["units"] = {name: {"behind": [], "unit": {"filename": name}} for name in other["units"]}
    foreign = json.dumps(other).encode()
    return {
        "empty": b"",
        "cut": data[: len(data) // 2],
        "one bit": data[:-9] + bytes([data[-9] ^ 1]) + data[-8:],
        "no text": bytes(range(256)),
        "no mark": body,
        "another's content": keeping._mark(foreign).encode() + b"\n" + foreign,
        "another's shape": keeping._mark(b"[]").encode() + b"\n[]",
        "deep": (deep := b"[" * 100_000) and keeping._mark(deep).encode() + b"\n" + deep,
        "mark only": mark,
    }


def test_what_is_damaged_is_passed_over(run: Program) -> None:
    run.write("net.py", BRANCH)
    before = run("check", "--output-format", "json")
    (path,) = kept(run)
    good = path.read_bytes()
    for name, data in damage(good).items():
        path.write_bytes(data)
        after = run("check", "--output-format", "json")
        assert (after.status, after.out, after.err) == (before.status, before.out, before.err), name
        assert path.read_bytes() == good, f"{name}: it is not mended"


ODD = {
    str: [7, None, [], {}, True],
    int: [-1, 0, 10**6, 10**30, "1", 1.5, True, None],
    bool: ["", 1, None, []],
    list: [{}, "text", None, [[]], [None], {"0": 1}],
    dict: [[], "text", None, {"": []}, {"x": 3}],
}


def nodes(value: object, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], object]]:
    """Every value within a value, with the way to it."""
    yield path, value
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from nodes(item, (*path, key))


def test_a_row_that_makes_no_sense_is_passed_over_whatever_its_hash(run: Program) -> None:
    run.write("net.py", BRANCH)
    before = run("check", "--output-format", "json")
    (path,) = kept(run)
    good = path.read_bytes()
    body = good.partition(b"\n")[2]
    draw = random.Random(5)
    planted = 0
    for way, value in nodes(json.loads(body)):
        # Names of classes may be None; the key is compared as a whole.
        if value is None or not way or way[0] == "key" or (len(way) == 6 and way[3] == "entries" and way[-1] == 1):
            continue
        content = json.loads(body)
        inner = content
        for key in way[:-1]:
            inner = inner[key]
        inner[way[-1]] = draw.choice(ODD[type(value)])
        odd = json.dumps(content).encode()
        path.write_bytes(keeping._mark(odd).encode() + b"\n" + odd)
        after = run("check", "--output-format", "json")
        assert (after.status, after.out, after.err) == (before.status, before.out, before.err), (way, inner[way[-1]])
        planted += 1
    assert planted > 60


def test_an_answer_that_rests_on_nothing_is_passed_over(run: Program) -> None:
    run.write("net.py", BRANCH)
    before = run("check")
    (path,) = kept(run)
    content = json.loads(path.read_bytes().partition(b"\n")[2])
    for table in (content["units"], content["fixes"]):
        for value in table.values():
            value["behind"] = []
    for value in content["units"].values():
        value["unit"]["findings"] = []
    empty = json.dumps(content).encode()
    path.write_bytes(keeping._mark(empty).encode() + b"\n" + empty)
    assert run("check").out == before.out


def test_a_fix_is_kept_with_all_that_is_known_of_it() -> None:
    edit = Edit(Span(Position(1, 1), Position(1, 2)), "text")
    for flags in itertools.product([False, True], repeat=6):
        fix = Fix("Title", Applicability.UNSAFE, (edit,), *flags)
        assert record.to_fix(json.loads(json.dumps(record.of_fix(fix)))) == fix


def test_no_cache_reads_nothing_and_writes_nothing(run: Program, analysed: list[str]) -> None:
    run.write("net.py", BRANCH)
    run("check", "--no-cache")
    assert kept(run) == []
    run("check")
    analysed.clear()
    (path,) = kept(run)
    before = path.stat().st_mtime_ns
    run("check", "--no-cache")
    assert analysed == ["net.py"]
    assert path.stat().st_mtime_ns == before


def test_standard_input_is_not_kept(run: Program) -> None:
    run("check", "-", stdin=BRANCH)
    assert kept(run) == []


def test_nothing_is_kept_in_the_project(run: Program, tmp_path_factory: pytest.TempPathFactory) -> None:
    elsewhere = tmp_path_factory.mktemp("cache")
    os.environ["XDG_CACHE_HOME"] = str(elsewhere)  # the fixture `run` puts it back
    run.write("net.py", BRANCH)
    before = sorted(run.folder.rglob("*"))
    run("check")
    assert sorted(run.folder.rglob("*")) == before
    assert list((elsewhere / "exportdb-lsp" / "check").glob("*.json"))


def test_a_cache_folder_that_cannot_be_used_changes_nothing(run: Program) -> None:
    run.write("net.py", BRANCH)
    expected = run("check", "--no-cache", "--output-format", "json")
    file = run.write("no-folder", "")
    os.environ["XDG_CACHE_HOME"] = str(file)
    for _ in range(2):
        done = run("check", "--output-format", "json")
        assert (done.status, done.out, done.err) == (expected.status, expected.out, expected.err)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_cache_folder_changes_nothing(run: Program) -> None:
    run.write("net.py", BRANCH)
    (run.folder / ".cache").mkdir()
    (run.folder / ".cache").chmod(0o555)
    assert run("check").status == 1
    assert kept(run) == []


def test_runs_at_the_same_time_do_not_disturb_each_other(run: Program) -> None:
    for number in range(6):
        run.write(f"net{number}.py", BRANCH.replace("Net", f"Net{number}"))
    expected = run("check", "--no-cache", "--output-format", "json").out
    program = [sys.executable, "-m", "exportdb_lsp", "check", "--output-format", "json", "."]
    running = [subprocess.Popen(program, cwd=run.folder, stdout=subprocess.PIPE, text=True) for _ in range(4)]
    assert [process.communicate()[0] for process in running] == [expected] * 4
    assert run("check", "--output-format", "json").out == expected
    assert [path.name for path in (run.folder / ".cache").rglob("*.tmp")] == []


def test_a_file_that_changes_while_the_run_goes_on_is_not_kept(run: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    """One unit sees the old helper, another the new one: neither answer may be taken for the other's."""
    for name in ("a.py", "b.py"):
        run.write(name, USER)
    helper = run.write("helper.py", HARMLESS)
    units = file_analyzer.FileAnalyzer.units

    def meddled(self: file_analyzer.FileAnalyzer, filenames: list[str]) -> file_analyzer.Analysed:
        answer = units(self, filenames)
        if any(name.endswith("a.py") for name in filenames):
            helper.write_text(HELPER)
        return answer

    # What was read is forgotten after each file, as it is when there is too much of it.
    monkeypatch.setattr(file_analyzer, "MAX_KEPT", -1)
    monkeypatch.setattr(file_analyzer.FileAnalyzer, "units", meddled)
    assert run("check", "--output-format", "json").out.count('"EDB101"') == 1
    monkeypatch.setattr(file_analyzer.FileAnalyzer, "units", units)
    helper.write_text(HARMLESS)
    assert run("check").status == 0
    helper.write_text(HELPER)
    done = run("check", "--output-format", "json")
    assert [Path(finding["filename"]).name for finding in done.json] == ["a.py", "b.py"]


def test_an_internal_error_is_met_again(run: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    run.write("net.py", BRANCH)
    check_unit = engine.check_unit

    def failing(project: engine.Project, filename: str, settings: engine.Settings, *, keep: bool) -> Unit:
        unit = check_unit(project, filename, settings, keep=keep)
        return Unit(unit.filename, problems=(Problem(filename, "internal error", internal=True),))

    monkeypatch.setattr(engine, "check_unit", failing)
    assert run("check").status == 2
    monkeypatch.setattr(engine, "check_unit", check_unit)
    assert run("check").status == 1


def test_the_folder_is_bounded(tmp_path: Path, run: Program) -> None:
    folder = tmp_path / "store"
    folder.mkdir()
    for number in range(20):
        path = folder / f"{number:02}.json"
        path.write_bytes(bytes(1000))
        os.utime(path, (number, number))
    (folder / "half.tmp").write_bytes(b"")
    os.utime(folder / "half.tmp", (0, 0))
    from exportdb_lsp.checking.checker import check_groups
    from exportdb_lsp.checking.plan import Plan
    from exportdb_lsp.checking.results import CheckRequest

    path = run.write("net.py", BRANCH)
    check_groups(Plan({}).groups([path]), CheckRequest(), 1, store=CacheStore(folder, most=10_000))
    left = sorted(entry.name for entry in folder.iterdir())
    assert sum(entry.stat().st_size for entry in folder.iterdir()) <= 7_500
    assert "19.json" in left
    assert "00.json" not in left
    assert "half.tmp" not in left
    assert any(len(name) > 10 for name in left), "what was just found is kept"


TEXTS = (
    HELPER,
    HARMLESS,
    USER,
    CLEAN,
    BRANCH,
    DATA,
    "from helper import *\n",
    "from a import *\n",
    '__all__ = ["nothing"]\nfrom helper import *\n',
    "from .b import positive\n",
    "import a\n",
)
NAMES = ("a.py", "b.py", "helper.py", "part/__init__.py", "part/a.py", "part/b.py", "part/helper.py", "src/helper.py")


@pytest.mark.parametrize("seed", range(4))
def test_after_any_edits_it_is_as_if_nothing_had_been_kept(run: Program, seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(25):
        path = run.folder / chance.choice(NAMES)
        if path.exists() and chance.random() < 0.3:
            path.unlink()
        else:
            run.write(str(path.relative_to(run.folder)), chance.choice(TEXTS))
        asked = chance.choice([["."], ["."], ["part"], [str(path)]]) if path.exists() else ["."]
        if not Path(asked[0]).exists():
            asked = ["."]
        kept_run = run("check", "--output-format", "json", *asked)
        fresh = run("check", "--no-cache", "--output-format", "json", *asked)
        assert (kept_run.status, kept_run.json, kept_run.err) == (fresh.status, fresh.json, fresh.err)
