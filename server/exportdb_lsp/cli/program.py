"""The program `exportdb-lsp`: its commands, and the language server that it is without one."""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING, Final

import click

from exportdb_lsp import __version__
from exportdb_lsp.files.names import problem_line

if TYPE_CHECKING:
    from exportdb_lsp.settings import UserSettings

# Command -> module, name in it, and the line that `--help` shows; so that help imports none of them.
COMMANDS: Final = {
    "check": ("exportdb_lsp.cli.check", "check", "Find code that breaks torch.export, without running it."),
    "export": ("exportdb_lsp.cli.export", "export", "Export models and compare the exported programs with eager."),
    "survey": (
        "exportdb_lsp.cli.survey",
        "survey_command",
        "Export every module class of a package or folder.",
    ),
    "shapes": (
        "exportdb_lsp.cli.shapes",
        "shapes",
        "Propose dynamic_shapes, and name the lines that specialize the other dimensions.",
    ),
    "run": ("exportdb_lsp.cli.run", "run", "Run a program and check every export call in it."),
    "explain": (
        "exportdb_lsp.cli.explain",
        "explain",
        "Explain a torch.export error: rule, source line, cause, fix.",
    ),
    "mcp": ("exportdb_lsp.cli.mcp", "mcp", "Serve check, export, fix, explain and cases to agents as MCP tools."),
    "rule": ("exportdb_lsp.cli.rule", "rule", "Explain a rule."),
    "cases": ("exportdb_lsp.cli.cases", "cases", "List, show and run the measured cases of what export supports."),
    "doctor": ("exportdb_lsp.cli.doctor", "doctor", "Report which Python and torch are used, and problems with them."),
    "completion": ("exportdb_lsp.cli.completion", "completion", "Print a shell completion script."),
}


class Done(SystemExit):
    """The end of a command that leaves nothing to be closed behind it: no thread, no child process, no open file."""


class CannotTry(click.ClickException):
    """The work could not be done: one line on standard error, exit status 2."""

    exit_code = 2


def tell_withheld(settings: UserSettings, named: str | None) -> None:
    """Say that the project's interpreter is not used because nobody trusts the project; not where another was named."""
    for note in settings.withheld:
        if note.name == "interpreter" and not named:
            click.echo(f"note: {problem_line(note)}; choose one with --python", err=True)


class LazyGroup(click.Group):
    """A group whose commands are imported when they are needed: `check` must not wait for the server's imports."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order in which people meet them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command's module."""
        if cmd_name not in COMMANDS:
            return None
        module, name, _ = COMMANDS[cmd_name]
        command = getattr(import_module(module), name)
        assert isinstance(command, click.Command)
        return command

    def invoke(self, ctx: click.Context) -> object:
        """Run a command. An interrupt ends it as a signal would: 1 is the status of something that was found."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise click.exceptions.Exit(130) from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list in `--help`, from the table alone."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry[2]) for name, entry in COMMANDS.items()])


@click.group(cls=LazyGroup, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, "-V", "--version", prog_name="exportdb-lsp", message="%(prog)s %(version)s")
@click.option("--stdio", is_flag=True, help="Serve an editor over stdin and stdout.")
@click.option(
    "--tcp",
    metavar="HOST:PORT",
    help="Serve one editor over a socket. A HOST other than loopback requires --allow-remote.",
)
@click.option("--allow-remote", is_flag=True, help="Allow --tcp to listen on an address that other machines can reach.")
@click.option(
    "--token",
    envvar="EXPORTDB_LSP_TOKEN",
    metavar="TEXT",
    help="Token that a --tcp client must send on its first line. Command lines are visible to other users: "
    "prefer the variable EXPORTDB_LSP_TOKEN or --token-file.",
)
@click.option("--token-file", metavar="FILE", help="File with the token on its only line; overrides --token.")
# VS Code's client library hands this to every server; the parent is watched through `initialize` instead.
@click.option("--clientProcessId", "client_process", hidden=True, expose_value=False)
@click.pass_context
def program(
    ctx: click.Context, stdio: bool, tcp: str | None, allow_remote: bool, token: str | None, token_file: str | None
) -> None:
    """Find code in PyTorch models that breaks torch.export, confirm it with a real export, and fix it.

    \b
    exportdb-lsp check src/            find problems, without running your code
    exportdb-lsp export model.py       export, and compare the result with eager
    exportdb-lsp check --fix src/      apply safe fixes, which cannot change results
    exportdb-lsp --stdio               the language server, for editors

    Output is coloured on a terminal; NO_COLOR disables colour, FORCE_COLOR forces it.
    """
    if os.environ.get("NO_COLOR"):
        ctx.color = False
    elif os.environ.get("FORCE_COLOR"):
        ctx.color = True
    if ctx.invoked_subcommand is not None:
        if stdio or tcp:
            raise click.UsageError("--stdio and --tcp cannot be combined with a command")
        return
    if stdio or tcp:
        from exportdb_lsp.cli.serve import read_token, serve

        serve(tcp, allow_remote=allow_remote, token=token if token_file is None else read_token(token_file))
    else:
        click.echo(ctx.get_help())
        ctx.exit(2)
