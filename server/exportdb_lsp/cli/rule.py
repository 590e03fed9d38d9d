"""`exportdb-lsp rule`: the documentation of the rules, without a network."""

from __future__ import annotations

import difflib
import json
import re
import sys
from typing import TYPE_CHECKING, Final

import click
from click.shell_completion import CompletionItem

if TYPE_CHECKING:
    from exportdb_rules.rule import Rule


_GRAPH_BREAK: Final = re.compile(r"(?i)GB\d{4}")


def _codes(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    from exportdb_rules.rule import documented

    # By code what begins like one, and by name everything else.
    words = [(rule.code, rule.name) for rule in documented()]
    words = words if incomplete[:1].isupper() else [(name, code) for code, name in words]
    return [CompletionItem(word, help=other) for word, other in words if word.startswith(incomplete)]


@click.command()
@click.argument("code", required=False, shell_complete=_codes)
@click.option("--all", "everything", is_flag=True, help="Print all rules.")
@click.option(
    "--output-format",
    type=click.Choice(["text", "json", "markdown"]),
    default="text",
    show_default=True,
    help="Output format; `markdown` is the documentation page.",
)
def rule(code: str | None, everything: bool, output_format: str) -> None:
    """Explain a rule, given its CODE (EDB101), its name (tensor-branch), or a graph break that it covers (GB0170).

    \b
    Examples:
      exportdb-lsp rule EDB101
      exportdb-lsp rule GB0170
      exportdb-lsp rule --all --output-format json
    """
    from exportdb_rules.rule import documented, find
    from exportdb_rules.torch_errors import GRAPH_BREAKS

    if everything == (code is not None):
        raise click.UsageError("specify either a rule code or --all")
    if code is None:
        rules = documented()
    elif _GRAPH_BREAK.fullmatch(code):
        _tell_graph_break(code.upper(), GRAPH_BREAKS.get(code.upper(), ()), output_format)
        return
    else:
        found = find(code)
        if found is None:
            names = [name for known in documented() for name in (known.code, known.name)]
            near = difflib.get_close_matches(code, names, n=1)
            hint = f": did you mean {near[0]}?" if near else "; `exportdb-lsp rule --all` lists them"
            raise click.UsageError(f"no rule {code!r}{hint}")
        rules = (found,)
    if output_format == "json":
        objects = [_to_json(item) for item in rules]
        click.echo(json.dumps(objects if everything else objects[0], indent=2))
    elif output_format == "markdown" or not sys.stdout.isatty():
        click.echo("\n\n".join(_page(item) for item in rules))
    else:
        from rich.console import Console
        from rich.markdown import Markdown

        console = Console()
        for item in rules:
            console.print(Markdown(_page(item)))


def _tell_graph_break(graph_break: str, codes: tuple[str, ...], output_format: str) -> None:
    """torch's page of a graph break, and the rules that it speaks of, the likeliest first."""
    from exportdb_rules.rule import find

    from exportdb_lsp.links import graph_break_page, rule_page

    rules = [rule for code in codes if (rule := find(code)) is not None]
    if output_format == "json":
        answer = {
            "graph_break_id": graph_break,
            "graph_break_url": graph_break_page(graph_break),
            "rules": [{"code": rule.code, "name": rule.name, "url": rule_page(rule.name)} for rule in rules],
        }
        click.echo(json.dumps(answer, indent=2))
        return
    click.echo(f"{graph_break}: {graph_break_page(graph_break)}")
    for rule in rules:
        click.echo(f"{rule.code} {rule.name}: {rule_page(rule.name)}")
    if not rules:
        click.echo("no rule covers it")


def _page(item: Rule) -> str:
    from exportdb_rules.page import page

    return page(item).rstrip()


def _to_json(item: Rule) -> dict[str, object]:
    from exportdb_lsp.links import rule_page

    return {
        "code": item.code,
        "name": item.name,
        "family": item.family,
        "stable_since": item.stable_since,
        "url": rule_page(item.name),
        "cases": list(item.cases),
        "documentation": item.documentation,
    }
