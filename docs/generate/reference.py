"""The pages of settings and of the command line, made from the schema and the program itself."""

from __future__ import annotations

import click
from exportdb_lsp.cli.program import program
from exportdb_lsp.links import graph_break_page
from exportdb_lsp.settings import OPTIONS, UserSettings
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rule import registry
from exportdb_rules.torch_errors import GRAPH_BREAKS


def pages() -> dict[str, str]:
    """Path -> text."""
    return {
        "reference/settings.md": _settings(),
        "reference/cli.md": _command_line(),
        "reference/graph-breaks.md": _graph_breaks(),
        "reference/no-fix.md": _no_fix(),
    }


def _no_fix() -> str:
    lines = [
        "# Why there is no fix",
        "",
        "A fix that cannot be made right is not offered. Text output, hover and [JSON](json.md#check) give the reason; the ids "
        "are for programs and keep their meaning.",
        "",
        "| `id` | reason |",
        "|---|---|",
        *[f"| `{reason.value}` | {reason.text} |" for reason in NoFix],
    ]
    return "\n".join(lines) + "\n"


def _graph_breaks() -> str:
    lines = [
        "# Graph breaks",
        "",
        "Dynamo has an id for every kind of graph break, which strict export prints. These ids map to rules; if an id maps to "
        "several, [explain](../guide/explain.md) selects one by the failing line.",
        "",
        "| torch's page | rules, most likely first |",
        "|---|---|",
    ]
    names = {rule.code: rule.name for rule in registry()}
    for graph_break, codes in GRAPH_BREAKS.items():
        rules = ", ".join(f"[{code} {names[code]}](../rules/{names[code]}.md)" for code in codes)
        lines.append(f"| [{graph_break}]({graph_break_page(graph_break)}) | {rules} |")
    return "\n".join(lines) + "\n"


def _settings() -> str:
    defaults = UserSettings()
    lines = [
        "# Settings",
        "",
        "Settings have the same names everywhere: in kebab-case in `[tool.exportdb]` of pyproject.toml and on the command line, "
        "in camelCase in an editor (`exportdb.assumeDynamic`). The editor overrides pyproject.toml, and the command line "
        "overrides both. Unknown names and invalid values are reported where they are written.",
        "",
        "Settings that start code, or name a program to start, are used from a project only if "
        "[you trust it](../security.md#project-settings-and-trust).",
        "",
        "| name | in editors | from projects | values | default | meaning |",
        "|---|---|---|---|---|---|",
    ]
    for option in OPTIONS:
        values = ", ".join(f"`{choice}`" for choice in option.choices) or option.kind
        default = getattr(defaults, option.attribute)
        editor = f"`exportdb.{option.camel}`" if option.editor else "–"
        project = "trusted ones" if option.runs else "all"
        lines.append(
            f"| `{option.name}` | {editor} | {project} | {values} | {_shown(default)} | {option.description} |"
        )
    return "\n".join(lines) + "\n"


def _shown(default: object) -> str:
    if default is None:
        return "detected"
    if default in ((), {}):
        return "none"
    return f"`{str(getattr(default, 'value', default)).lower() if isinstance(default, bool) else getattr(default, 'value', default)}`"


def _command_line() -> str:
    context = click.Context(program, info_name="exportdb-lsp")
    lines = ["# Command line", "", f"```text\n{program.get_help(context)}\n```", ""]
    for name in program.list_commands(context):
        command = program.get_command(context, name)
        assert command is not None
        lines += _described(command, click.Context(command, info_name=name, parent=context), 2)
    return "\n".join(lines)


def _described(command: click.Command, context: click.Context, level: int) -> list[str]:
    lines = [f"{'#' * level} {context.command_path}", "", f"```text\n{command.get_help(context)}\n```", ""]
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner is not None
            lines += _described(inner, click.Context(inner, info_name=name, parent=context), level + 1)
    return lines
