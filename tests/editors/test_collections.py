"""The entries for editors' own collections agree with one another and with the package."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from exportdb_lsp import __version__

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parents[2]
EDITORS = ROOT / "editors"
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
COMMAND = ["exportdb-lsp", "--stdio"]
REPOSITORY: str = PROJECT["urls"]["Source"]


def read(name: str) -> str:
    return (EDITORS / name).read_text("utf-8")


def test_the_command_is_one_that_the_package_installs() -> None:
    assert COMMAND[0] in PROJECT["scripts"]


def test_nvim_lspconfig() -> None:
    """That Neovim takes it, and shows a finding, is tested with Neovim."""
    text = read("neovim/lsp/exportdb.lua")
    brief, _, config = text.partition("---@type vim.lsp.Config\nreturn {\n")
    assert brief.startswith(f"---@brief\n---\n--- {REPOSITORY}\n")
    assert re.search(r"cmd = \{ (.*) \}", config)[1].replace("'", "").split(", ") == COMMAND  # type: ignore[index]
    assert "filetypes = { 'python' }" in config
    assert "root_markers = { 'pyproject.toml', 'setup.py', 'setup.cfg', '.git' }" in config


def test_mason() -> None:
    entry = yaml.safe_load(read("mason/package.yaml"))
    assert (entry["name"], entry["description"], entry["homepage"]) == (
        PROJECT["name"],
        PROJECT["description"],
        REPOSITORY,
    )
    assert entry["licenses"] == [PROJECT["license"]]
    assert (entry["languages"], entry["categories"]) == (["Python"], ["LSP", "Linter"])
    assert entry["source"] == {"id": f"pkg:pypi/{PROJECT['name']}@{__version__}"}
    assert entry["bin"] == {COMMAND[0]: f"pypi:{PROJECT['name']}"}
    assert (EDITORS / "neovim" / "lsp" / f"{entry['neovim']['lspconfig']}.lua").exists()
    # The schema of the settings is read out of the extension.
    kind, _, address = entry["schemas"]["lsp"].partition(":")
    assert (kind, address.startswith("https://raw.githubusercontent.com/")) == ("vscode", True)
    manifest = json.loads((ROOT / address.partition("/main/")[2]).read_text("utf-8"))
    assert "exportdb.mode" in manifest["contributes"]["configuration"]["properties"]


def test_helix() -> None:
    entry = tomllib.loads(read("helix/languages.toml"))
    server = entry["language-server"]["exportdb"]
    assert [server["command"], *server["args"]] == COMMAND
    (language,) = entry["language"]
    assert language["name"] == "python"
    assert "exportdb" in language["language-servers"]


def test_zed() -> None:
    extension = tomllib.loads(read("zed/extension.toml"))
    crate = tomllib.loads(read("zed/Cargo.toml"))
    assert (extension["version"], crate["package"]["version"]) == (__version__, __version__)
    assert (extension["description"], extension["repository"]) == (PROJECT["description"], REPOSITORY)
    assert extension["schema_version"] == 1
    assert extension["language_servers"][COMMAND[0]]["languages"] == ["Python"]
    assert crate["lib"]["crate-type"] == ["cdylib"]
    source = read(f"zed/{crate['lib']['path']}")
    assert f'worktree.which("{COMMAND[0]}")' in source
    assert f'vec!["{COMMAND[1]}".into()]' in source


@pytest.mark.skipif(shutil.which("rustfmt") is None, reason="rustfmt is missing: it parses the extension for Zed")
def test_the_extension_for_zed_is_rust() -> None:
    done = subprocess.run(
        ["rustfmt", "--check", "--edition", "2021", EDITORS / "zed" / "src" / "exportdb.rs"],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_lsp4ij() -> None:
    template = json.loads(read("jetbrains/exportdb-lsp/template.json"))
    assert template["programArgs"]["default"].split() == COMMAND
    (mapping,) = template["fileTypeMappings"]
    assert (mapping["languageId"], mapping["fileType"]) == ("python", {"name": "Python", "patterns": ["*.py"]})
    # Trust is for the user to give.
    assert json.loads(read("jetbrains/exportdb-lsp/initializationOptions.json")) == {"trusted": False}
    assert json.loads(read("jetbrains/exportdb-lsp/settings.json")) == {"exportdb": {"mode": "non-strict"}}


def test_lsp_mode() -> None:
    """That Emacs takes the client, and shows a finding, is tested with Emacs."""
    source = read("emacs/lsp-exportdb.el")
    assert f"""'({" ".join(f'"{word}"' for word in COMMAND)})""" in source
    assert '(lsp-activate-on "python")' in source
    (entry,) = json.loads(read("emacs/lsp-clients.json"))
    assert (entry["name"], entry["server-name"], entry["server-url"]) == ("exportdb", COMMAND[0], REPOSITORY)


@pytest.mark.parametrize(("file", "package"), [("lsp-exportdb.el", "lsp-mode"), ("exportdb-eglot.el", "eglot")])
def test_emacs_compiles_without_a_warning(file: str, package: str, tmp_path: Path) -> None:
    emacs = shutil.which("emacs")
    if emacs is None:
        pytest.skip("emacs is missing: tests/editors/install.sh gets it")
    load = f"(progn (package-initialize) (require '{package}))"
    if subprocess.run([emacs, "-q", "--batch", "--eval", load], capture_output=True).returncode:
        pytest.skip(f"this Emacs has no {package}: tests/editors/install.sh gets it")
    shutil.copy(EDITORS / "emacs" / file, tmp_path)
    strict = f"(progn (package-initialize) (require '{package}) (setq byte-compile-error-on-warn t))"
    command = [emacs, "-q", "--batch", "--eval", strict, "-f", "batch-byte-compile", file]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / f"{file}c").exists()
