"""`exportdb-lsp completion SHELL`."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

SHELLS = ("bash", "zsh", "fish")


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
def completion(shell: str) -> None:
    """Print a shell completion script.

    \b
    bash:  exportdb-lsp completion bash > ~/.local/share/bash-completion/completions/exportdb-lsp
    zsh:   exportdb-lsp completion zsh > "${fpath[1]}/_exportdb-lsp"
    fish:  exportdb-lsp completion fish > ~/.config/fish/completions/exportdb-lsp.fish
    """
    from exportdb_lsp.cli.program import program

    script = get_completion_class(shell)
    assert script is not None
    click.echo(script(program, {}, "exportdb-lsp", "_EXPORTDB_LSP_COMPLETE").source())
