"""Real editors, without a screen: they open a model, see the finding, export it, see the verdict, apply the fix.

`tests/editors/install.sh` gets the editors. A test whose editor is missing is skipped, and says so.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

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


def drive(tmp_path: Path, command: list[str]) -> str:
    model = tmp_path / "net.py"
    model.write_text(MODEL)
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


def test_emacs_with_eglot(tmp_path: Path) -> None:
    emacs = shutil.which("emacs")
    if emacs is None:
        pytest.skip("emacs is missing: tests/editors/install.sh gets it")
    if subprocess.run(
        [emacs, "-q", "--batch", "--eval", "(progn (package-initialize) (require 'eglot))"], capture_output=True
    ).returncode:
        pytest.skip("this Emacs has no eglot: tests/editors/install.sh gets it")
    assert "emacs " in drive(tmp_path, [emacs, "-q", "--batch", "-l", str(HERE / "drive.el")])
