"""Verdicts that are kept: they move with their files, and are asked for without reading everything again and again."""

from pathlib import Path
from typing import Any

from exportdb_lsp.confirm.result import ExportResult, Failure, Frame, Outcome
from exportdb_lsp.lsp.verdicts import Verdicts
from exportdb_rules.finding import Mode


def fails(filename: str, *lines: str) -> ExportResult:
    """A result of a model of a file that came to grief on the last of these files' first lines."""
    frames = tuple(Frame(name, 1, "x") for name in lines or (filename,))
    return ExportResult("Net", filename, Mode.STRICT, Outcome.FAILS, "a reason", frames=frames)


def test_a_verdict_moves_with_the_folder_of_its_files() -> None:
    verdicts = Verdicts()
    other = Failure("later", frames=(Frame("/old/deep/help.py", 2, "y"),))
    result = fails("/old/net.py", "/old/net.py", "/old/deep/help.py")
    verdicts.add([ExportResult(**{**vars(result), "failures": (other,)})], lambda name: name[-7:])
    verdicts.rename("/old", "/new")
    (verdict,) = verdicts.of("/new/net.py")
    assert verdicts.of("/old/net.py") == []
    assert verdict.current(lambda name: name[-7:] if name.startswith("/new/") else None)
    assert [frame.filename for frame in verdict.result.frames] == ["/new/net.py", "/new/deep/help.py"]
    assert verdict.result.failures[0].frames[0].filename == "/new/deep/help.py"


def test_the_name_of_a_file_is_no_beginning_of_others() -> None:
    verdicts = Verdicts()
    verdicts.add([fails("/net.py"), fails("/net.py2")], str)
    verdicts.rename("/net.py", "/model.py")
    assert len(verdicts.of("/model.py")) == len(verdicts.of("/net.py2")) == 1


async def test_marks_of_many_closed_files_ask_for_each_text_once(start: Any, tmp_path: Path) -> None:
    editor = await start()
    await editor.until(lambda: editor.refreshed)  # it has looked at everything for the first time
    names = [str(tmp_path / f"net{number}.py") for number in range(30)]
    for name in names:
        Path(name).write_text("import torch\n")
    server = editor.server
    server.verdicts.add([fails(name) for name in names], server.digest)
    asked: list[str] = []
    digest = server.disk.digest

    def counted(filename: str) -> str | None:
        asked.append(filename)
        return digest(filename)

    server.disk.digest = counted
    server.from_anywhere(server.publisher.verdicts)
    for name in names:
        pushed = await editor.until_pushed(editor.uri(Path(name).name), lambda p: p.diagnostics)
        assert [mark.range.start.line for mark in pushed.diagnostics] == [0]
    assert sorted(asked) == sorted(names)


async def test_a_file_on_disk_is_read_again_when_it_changed(start: Any, tmp_path: Path) -> None:
    editor = await start()
    path = tmp_path / "net.py"
    path.write_text("one\n")
    first = editor.server.digest(str(path))
    path.write_text("two\n")
    assert editor.server.digest(str(path)) != first
    path.unlink()
    assert editor.server.digest(str(path)) is None
