"""Which files a path stands for."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from exportdb_lsp.files.names import problem_line
from exportdb_lsp.files.walk import find_files
from exportdb_rules.finding import Problem


def make(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")


def found(folder: Path, *paths: str, exclude: tuple[str, ...] = ()) -> list[str]:
    problems: list[Problem] = []
    files = find_files([folder / path for path in paths or (".",)], problems, lambda _: (folder, exclude))
    assert not problems
    return [path.relative_to(folder).as_posix() for path in files]


def test_only_python_files_are_taken(tmp_path: Path) -> None:
    make(tmp_path, "a.py", "b.txt", "c.pyi", "d/e.py", "d/f.pyc")
    assert found(tmp_path) == ["a.py", "d/e.py"]


def test_a_named_file_is_taken_whatever_it_is_called(tmp_path: Path) -> None:
    make(tmp_path, "script", "ignored.py", ".git/config")
    (tmp_path / ".gitignore").write_text("ignored.py\n")
    assert found(tmp_path, "script", "ignored.py") == ["script", "ignored.py"]


def test_a_file_is_taken_once(tmp_path: Path) -> None:
    make(tmp_path, "d/a.py")
    assert found(tmp_path, "d", "d/a.py", ".") == ["d/a.py"]


def test_environments_and_caches_are_left_out(tmp_path: Path) -> None:
    make(tmp_path, ".venv/x.py", "node_modules/x.py", "__pycache__/x.py", ".tox/x.py", "lib/site-packages/x.py", "a.py")
    assert found(tmp_path) == ["a.py"]


def test_a_folder_inside_an_environment_can_be_asked_for(tmp_path: Path) -> None:
    make(tmp_path, ".git/config", ".venv/lib/site-packages/timm/a.py")
    (tmp_path / ".gitignore").write_text(".venv/\n")
    assert found(tmp_path, ".venv/lib/site-packages/timm") == [".venv/lib/site-packages/timm/a.py"]


def test_gitignore(tmp_path: Path) -> None:
    make(
        tmp_path,
        ".git/config",
        "a.py",
        "gen.py",
        "sub/gen.py",
        "sub/keep.py",
        "sub/deep/b.py",
        "out/c.py",
        "x/out/d.py",
    )
    (tmp_path / ".gitignore").write_text("gen.py\n/out/\n[broken\n")
    (tmp_path / "sub" / ".gitignore").write_text("!gen.py\ndeep\n")
    assert found(tmp_path) == ["a.py", "sub/gen.py", "sub/keep.py", "x/out/d.py"]
    # The same from inside: the files above count too.
    assert found(tmp_path, "sub") == ["sub/gen.py", "sub/keep.py"]


def test_gitignore_above_the_repository_does_not_count(tmp_path: Path) -> None:
    make(tmp_path, "repo/.git/config", "repo/a.py")
    (tmp_path / ".gitignore").write_text("a.py\n")
    assert found(tmp_path, "repo") == ["repo/a.py"]


def test_the_repositorys_own_exclude_file(tmp_path: Path) -> None:
    make(tmp_path, ".git/info/exclude", "a.py", "b.py")
    (tmp_path / ".git" / "info" / "exclude").write_text("b.py\n")
    assert found(tmp_path) == ["a.py"]


def test_exclude_is_relative_to_the_project_and_wins(tmp_path: Path) -> None:
    make(tmp_path, "src/a.py", "src/gen/b.py", "tests/gen/c.py")
    (tmp_path / "src" / ".gitignore").write_text("!gen\n")
    assert found(tmp_path, "src", "tests", exclude=("/src/gen",)) == ["src/a.py", "tests/gen/c.py"]


def test_links_to_folders_are_not_followed(tmp_path: Path) -> None:
    make(tmp_path, "d/a.py")
    (tmp_path / "d" / "loop").symlink_to(tmp_path)
    assert found(tmp_path) == ["d/a.py"]


def test_what_is_not_there_is_a_problem(tmp_path: Path) -> None:
    problems: list[Problem] = []
    assert find_files([tmp_path / "nope"], problems) == []
    assert problem_line(problems[0]).endswith("nope: no such file or directory")


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_an_unreadable_folder_is_a_problem(tmp_path: Path) -> None:
    make(tmp_path, "d/a.py", "b.py")
    (tmp_path / "d").chmod(0)
    problems: list[Problem] = []
    try:
        assert [path.name for path in find_files([tmp_path], problems)] == ["b.py"]
    finally:
        (tmp_path / "d").chmod(0o755)
    assert "cannot be read" in problems[0].message


def test_a_link_to_itself_is_no_file_and_a_problem_where_it_is_named(tmp_path: Path) -> None:
    make(tmp_path, "a.py")
    (tmp_path / "loop.py").symlink_to(tmp_path / "loop.py")
    (tmp_path / "dangling.py").symlink_to(tmp_path / "nowhere.py")
    problems: list[Problem] = []
    assert find_files([tmp_path], problems) == [tmp_path / "a.py"]
    assert [(Path(problem.filename).name, problem.note) for problem in problems] == [
        ("dangling.py", True),
        ("loop.py", True),
    ]
    problems.clear()
    assert find_files([tmp_path / "loop.py", tmp_path / "dangling.py"], problems) == []
    assert [problem.message for problem in problems] == [
        "cannot be read: Too many levels of symbolic links",
        "no such file or directory",
    ]


def test_a_name_that_no_system_takes_is_a_problem(tmp_path: Path) -> None:
    problems: list[Problem] = []
    assert find_files([tmp_path / ("a" * 5000), f"{tmp_path}/a\0b"], problems) == []
    assert [problem.message for problem in problems] == [
        "cannot be read: File name too long",
        "cannot be read: embedded null byte",
    ]
