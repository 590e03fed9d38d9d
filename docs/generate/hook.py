"""The hook of mkdocs: adds the generated pages, and the order of the navigation."""

from __future__ import annotations

from pathlib import Path

import matrix
import picture
import reference
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

import cases
import rules

_DOCS = Path(__file__).parents[1]
# The tests of the extension take them: `npm run screenshots`.
_SCREENSHOTS = _DOCS.parent / "vscode-extension" / "screenshots"

# Pages that are written by hand, in reading order. What is not there yet is left out.
_GUIDE = (
    ("Install", "guide/install.md"),
    ("First export", "guide/first-export.md"),
    ("Reading a verdict", "guide/verdicts.md"),
    ("Example inputs", "guide/inputs.md"),
    ("Dynamic shapes", "guide/dynamic-shapes.md"),
    ("Getting to ONNX, ExecuTorch, AOTInductor", "guide/goals.md"),
    ("What your torch supports", "guide/support.md"),
    ("The programming model, in cases", "guide/programming-model.md"),
    ("ExportDB and the tutorials", "guide/tutorials.md"),
    ("Explaining an error", "guide/explain.md"),
    ("Surveying a package", "guide/survey.md"),
    ("Fixing", "guide/fixing.md"),
    ("Suppressing", "guide/suppressing.md"),
    ("In CI", "guide/ci.md"),
    ("VS Code", "guide/vscode.md"),
    ("Other editors", "guide/editors.md"),
    ("Agents", "guide/agents.md"),
)
_REFERENCE = (
    ("Glossary", "glossary.md"),
    ("Settings", "reference/settings.md"),
    ("Command line", "reference/cli.md"),
    ("JSON output", "reference/json.md"),
    ("Language server", "reference/lsp.md"),
    ("Graph breaks", "reference/graph-breaks.md"),
    ("Why there is no fix", "reference/no-fix.md"),
    ("Security", "security.md"),
    ("Benchmarks", "benchmarks.md"),
    ("Readiness of packages", "readiness.md"),
)
_INSIDE = (
    ("How it works", "how-it-works.md"),
    ("Adding a rule", "adding-a-rule.md"),
)


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Set the navigation."""
    config.nav = [
        {"Start": "index.md"},
        {"Guide": _present(_GUIDE)},
        {"Rules": [{"All rules": "rules/index.md"}, *rules.navigation()]},
        # Five hundred cases in the navigation of every page would be most of the site: their index has them.
        {"Support": [{"Matrix": "support.md"}, {"Cases": "cases/index.md"}]},
        {"Reference": _present(_REFERENCE)},
        {"Inside": _present(_INSIDE)},
    ]
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add what is made from the sources."""
    for pages in (rules.pages(), cases.pages(), matrix.pages(), reference.pages(), picture.files()):
        for path, content in pages.items():
            files.append(File.generated(config, path, content=content))
    for picture_file in sorted(_SCREENSHOTS.glob("*.png")):
        files.append(File.generated(config, f"assets/vscode/{picture_file.name}", abs_src_path=str(picture_file)))
    return files


def _present(pages: tuple[tuple[str, str], ...]) -> list[dict[str, str]]:
    made = {*reference.pages()}
    return [{title: path} for title, path in pages if path in made or (_DOCS / path).is_file()]
