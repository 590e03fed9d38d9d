"""Real editors, without a screen: they open a model, see the finding, export it, see the verdict, apply the fix.

`tests/editors/install.sh` gets the editors. A test whose editor is missing is skipped, and says so.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

HERE = Path(__file__).parent
EDITORS = HERE.parents[1] / "editors"
CACHE = Path(
    os.environ.get("EXPORTDB_EDITORS")
    or Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "exportdb-lsp" / "editors"
)
NEW = str(CACHE / "bin" / "nvim")
OLD = "/usr/bin/nvim"

# The emoji stands before the mark, on its line.
MODEL = """\
import torch
from torch import nn


# exportdb: args=(torch.ones(2, 3),)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.one = nn.Linear(3, 3)
        self.two = nn.Linear(3, 3)

    def forward(self, x):
        s = "😀é"; y = self.one(x) if x.sum() > 0 else self.two(x)
        return y
"""


# Some clients take the units that columns are counted in for characters, or for bytes: no server can help that.
PLAIN = MODEL.replace('s = "😀é"; ', "")


def drive(tmp_path: Path, command: list[str], text: str = MODEL) -> str:
    model = tmp_path / "net.py"
    model.write_text(text)
    environment = {
        **os.environ,
        "PATH": os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"])),
        "HOME": str(tmp_path),
        "EDITORS": str(EDITORS),
        "MODEL": str(model),
    }
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=580)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "torch.cond(" in model.read_text()
    return done.stdout + done.stderr


@pytest.mark.parametrize(("program", "name"), [(NEW, "neovim 0.11"), (OLD, "neovim 0.7")])
def test_neovim(program: str, name: str, tmp_path: Path) -> None:
    if not os.access(program, os.X_OK):
        pytest.skip(f"{program} is missing: tests/editors/install.sh gets it")
    said = drive(tmp_path, [program, "--clean", "--headless", "-c", f"luafile {HERE / 'drive.lua'}"])
    if name not in said and program == OLD:
        pytest.skip(f"{program} is another Neovim: {said.strip()}")
    assert name in said


def emacs_with(package: str) -> str:
    """The Emacs that has a package; skips where there is none."""
    emacs = shutil.which("emacs")
    if emacs is None:
        pytest.skip("emacs is missing: tests/editors/install.sh gets it")
    load = f"(progn (package-initialize) (require '{package}))"
    if subprocess.run([emacs, "-q", "--batch", "--eval", load], capture_output=True).returncode:
        pytest.skip(f"this Emacs has no {package}: tests/editors/install.sh gets it")
    return emacs


def test_emacs_with_eglot(tmp_path: Path) -> None:
    assert "emacs " in drive(tmp_path, [emacs_with("eglot"), "-q", "--batch", "-l", str(HERE / "drive.el")])


def test_emacs_asks_for_the_server_as_its_page_says(tmp_path: Path) -> None:
    """On every version: the hooks of python-mode have other names in some."""
    emacs = emacs_with("eglot")
    page = (EDITORS / "emacs" / "README.md").read_text("utf-8")
    block = re.search(r"```elisp\n(.*?)```", page, re.DOTALL)
    assert block is not None
    folder = tmp_path / ".emacs.d"
    shutil.copytree(EDITORS / "emacs", folder / "exportdb")
    asked = """(advice-add 'eglot-ensure :override (lambda () (message "asked for in %s" (buffer-name))))"""
    (folder / "init.el").write_text(f"(package-initialize)\n{block[1]}\n{asked}\n")
    (tmp_path / "net.py").write_text(MODEL)
    done = subprocess.run(
        [emacs, "-q", "--batch", "-l", str(folder / "init.el"), str(tmp_path / "net.py")],
        env={**os.environ, "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert "asked for in net.py" in done.stderr, done.stderr


def test_emacs_with_lsp_mode(tmp_path: Path) -> None:
    command = [emacs_with("lsp-mode"), "-q", "--batch", "-l", str(HERE / "drive-lsp-mode.el")]
    said = drive(tmp_path, command, PLAIN)
    assert "lsp-mode" in said
    assert "Unknown notification" not in said


def test_vim_with_ale(tmp_path: Path) -> None:
    vim = shutil.which("vim")
    if vim is None:
        pytest.skip("vim is missing: tests/editors/install.sh gets it")
    has_ale = "packadd ale | if exists('*ale#Queue') || !empty(globpath(&rtp, 'autoload/ale.vim')) | qall! | endif"
    if subprocess.run([vim, "-Nu", "NONE", "-n", "-es", "-c", has_ale, "-c", "cquit"], capture_output=True).returncode:
        pytest.skip("this Vim has no ALE: tests/editors/install.sh gets it")
    said = drive(tmp_path, [vim, "-Nu", "NONE", "-n", "-es", "-S", str(HERE / "drive.vim")], PLAIN)
    assert "with ALE" in said


PAGES = sorted(page for page in EDITORS.glob("*/README.md"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.parent.name)
def test_what_a_page_shows_can_be_copied(page: Path) -> None:
    """The blocks are what they say, the files that they name are there, and one of them starts the server."""
    text = page.read_text(encoding="utf-8")
    blocks = re.findall(r"^```(\w+)\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    for language, block in blocks:
        if language == "json":
            json.loads(block)
        elif language == "toml":
            tomllib.loads(block)
    for name in re.findall(r"\]\(([^):#]+)\)", text):
        assert (page.parent / name).exists(), name
    written = text + "".join(
        p.read_text("utf-8") for p in page.parent.rglob("*") if p.suffix in (".el", ".lua", ".vim")
    )
    assert "exportdb-lsp" in written
    assert "--stdio" in written


def test_every_editor_has_a_row_and_every_row_a_page() -> None:
    rows = set(re.findall(r"\]\((\w+)/README\.md\)", (EDITORS / "README.md").read_text(encoding="utf-8")))
    assert rows == {page.parent.name for page in PAGES}
