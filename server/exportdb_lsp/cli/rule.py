"""`exportdb-lsp rule`: the documentation of the rules, without a network."""

from __future__ import annotations

import difflib
import json
import sys
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

if TYPE_CHECKING:
    from exportdb_rules.rule import Rule


def _codes(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    from exportdb_rules.rule import documented

    # By code what begins like one, and by name everything else.
    words = [(rule.code, rule.name) for rule in documented()]
    words = words if incomplete[:1].isupper() else [(name, code) for code, name in words]
    return [CompletionItem(word, help=other) for word, other in words if word.startswith(incomplete)]


@click.command()
@click.argument("code", required=False, shell_complete=_codes)
@click.option("--all", "everything", is_flag=True, help="Every rule.")
@click.option(
    "--output-format",
    type=click.Choice(["text", "json", "markdown"]),
    default="text",
    show_default=True,
    help="For reading on a terminal, for programs, or as the page of the documentation.",
)
def rule(code: str | None, everything: bool, output_format: str) -> None:
    """Explain a rule, by its CODE (EDB101) or its name (tensor-branch).

    \b
    Examples:
      exportdb-lsp rule EDB101
      exportdb-lsp rule --all --output-format json
    """
    from exportdb_rules.rule import documented, find

    if everything == (code is not None):
        raise click.UsageError("give either the code of a rule or --all")
    if code is None:
        rules = documented()
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
