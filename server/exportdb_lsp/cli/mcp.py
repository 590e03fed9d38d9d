"""`exportdb-lsp mcp`: the commands as tools for agents, by the Model Context Protocol on standard input and output.

Each tool runs the command of its name as a process and hands on the JSON that this prints: what an agent is told is what
people are told, and nothing that a call does outlives it.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import os
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, get_args, get_type_hints

import click

from exportdb_lsp import __version__
from exportdb_lsp.cli.program import CannotTry

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

INSTRUCTIONS: Final = (
    "Finds code in PyTorch models that makes torch.export fail or compute something else (check), explains torch.export "
    "errors (explain), exports a model and compares the exported program with eager (export), and rewrites the code "
    "(fix). Start with check, which runs nothing. Rows and columns count from 1."
)
# The folder that a process is started in is no place to import from: it may be anybody's.
_PROGRAM: Final = "import sys; del sys.path[0]; from exportdb_lsp.__main__ import main; sys.exit(main())"

Mode = Literal["non-strict", "strict", "both"]
Paths = Annotated[list[str], "Absolute paths of Python files, notebooks or folders."]
Rules = Annotated[str | None, "Rule codes (EDB101), code prefixes (EDB1) or rule names, separated by commas."]


class CallError(Exception):
    """A call that is not done; the message says why, to the agent."""


async def _run(arguments: list[str], folder: Path, text: str | None = None) -> tuple[int, str, str]:
    """A command of this program: exit status, standard output, standard error. It ends when the call is cancelled."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-c", _PROGRAM, *arguments),
        cwd=folder,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, "NO_COLOR": "1"},
    )
    try:
        output, errors = await process.communicate((text or "").encode())
    finally:
        if process.returncode is None:
            process.terminate()
    return process.returncode or 0, output.decode("utf-8", "replace"), errors.decode("utf-8", "replace").strip()


async def _answer(name: str, arguments: list[str], folder: Path, text: str | None = None) -> dict[str, Any]:
    """What a command prints as JSON, below `name`; notes and errors of files beside it."""
    status, output, errors = await _run(arguments, folder, text)
    try:
        answer: dict[str, Any] = {name: json.loads(output)}
    except ValueError:
        raise CallError(errors or f"the command ended with status {status}") from None
    if errors:
        if status == 2 and not answer[name]:
            raise CallError(errors)
        answer["notes"] = errors.splitlines()
    return answer


def _option(name: str, value: object) -> list[str]:
    return [] if value is None else [f"--{name}={value}"]


class Tools:
    """The tools. `folders` are those in which code may be run and files may be written; others are only read."""

    def __init__(self, folders: tuple[Path, ...]) -> None:
        self.folders = tuple(folder.resolve() for folder in folders)

    async def check(
        self,
        paths: Paths,
        mode: Annotated[Mode | None, "Export mode to report verdicts for; default: the project's."] = None,
        assume_dynamic: Annotated[
            Literal["none", "batch", "all"] | None, "Input dimensions to treat as dynamic if the project declares none."
        ] = None,
        select: Rules = None,
        ignore: Rules = None,
        torch_version: Annotated[str | None, "Report the verdicts of this torch version, such as 2.13.0."] = None,
    ) -> dict[str, Any]:
        """Find the lines that torch.export will fail on, or trace wrongly. Nothing of the project is run."""
        places = _absolute(paths)
        options = [
            *_option("mode", mode), *_option("assume-dynamic", assume_dynamic), *_option("select", select),
            *_option("ignore", ignore), *_option("torch-version", torch_version),
        ]  # fmt: skip
        arguments = ["check", "--output-format=json", *options, "--", *map(str, places)]
        return await _answer("findings", arguments, _folder_of(places[0]))

    async def export(
        self,
        target: Annotated[
            str, "FILE or FILE::NAME, FILE absolute; NAME is a class, a function, or the line of a call."
        ],
        mode: Annotated[Mode | None, "Export mode; default: the project's."] = None,
        dynamic: Annotated[
            Literal["given", "none", "auto"], "Dynamic dimensions: `auto` finds which can be dynamic."
        ] = "given",
        timeout: Annotated[float | None, "Time limit per export, in seconds."] = None,
    ) -> dict[str, Any]:
        """Really export models, in the project's own Python, and run the program beside eager. Runs the project's code,
        so only in the folders that the user gave on the command line of this server."""
        filename, _, name = target.partition("::")
        (place,) = self._allowed([filename])
        aim = f"{place}::{name}" if name else str(place)
        options = [*_option("mode", mode), *_option("dynamic", dynamic), *_option("timeout", timeout)]
        arguments = ["export", "--output-format=json", *options, "--", aim]
        return await _answer("results", arguments, _folder_of(place))

    async def fix(
        self,
        paths: Paths,
        unsafe: Annotated[bool, "Include unsafe fixes, which may change what eager computes."] = False,
        verify: Annotated[bool, "Keep only fixes that a real export verifies; runs the project's models."] = False,
        write: Annotated[bool, "Write the files instead of returning a diff."] = False,
        select: Rules = None,
    ) -> dict[str, Any]:
        """Rewrite what breaks torch.export: a diff, or with `write` the files themselves and the findings that are left.
        With `write` or `verify` only in the folders that the user gave on the command line of this server."""
        places = self._allowed(paths) if write or verify else _absolute(paths)
        flags = [*(["--unsafe-fixes"] if unsafe else []), *(["--verify"] if verify else []), *_option("select", select)]
        folder = _folder_of(places[0])
        if write:
            arguments = ["check", "--fix", "--output-format=json", *flags, "--", *map(str, places)]
            return await _answer("findings", arguments, folder)
        status, output, errors = await _run(["check", "--diff", *flags, "--", *map(str, places)], folder)
        if status == 2 and not output:
            raise CallError(errors)
        return {"diff": output, "notes": errors.splitlines()}

    async def explain(
        self,
        text: Annotated[str, "A traceback, a CI log, TORCH_LOGS output or a draft_export report, as printed."],
        folder: Annotated[str | None, "Absolute path of the project that raised the error."] = None,
    ) -> dict[str, Any]:
        """Explain errors of torch.export: the line in the user's source, the rule, the reason, the fix. Runs nothing."""
        place = _absolute([folder])[0] if folder else (self.folders or (Path.cwd(),))[0]
        return await _answer("explanations", ["explain", "--output-format=json", "-"], place, text)

    async def cases(
        self,
        verdict: Annotated[
            Literal["ok", "fails", "diverges", "specializes"] | None, "Only cases with this ExportDB tag."
        ] = None,
        family: Annotated[str | None, "Only cases of this family, such as control_flow or dynamic_shape."] = None,
        name: Annotated[str | None, "Name of one case; returns its source and all measurements as text."] = None,
        torch_version: Annotated[str | None, "A torch version, such as 2.13.0; default: the newest measured."] = None,
    ) -> dict[str, Any]:
        """Small programs with the verdict that torch.export really gave on them, by version of torch and mode."""
        if name is not None:
            status, output, errors = await _run(["cases", "show", "--", name], Path.home())
            if status:
                raise CallError(errors)
            return {"case": output}
        options = [*_option("verdict", verdict), *_option("family", family), *_option("torch-version", torch_version)]
        return await _answer("cases", ["cases", "list", "--output-format=json", *options], Path.home())

    def _allowed(self, paths: list[str]) -> list[Path]:
        """The real files behind names, all of them in folders where code may be run.

        Raises:
            FixNotApplicable: one is not.
        """
        places = [path.resolve() for path in _absolute(paths)]
        for place in places:
            if not any(place.is_relative_to(folder) for folder in self.folders):
                where = ", ".join(map(str, self.folders)) or "no folder"
                raise CallError(
                    f"{place}: code runs and files are written only in {where}; "
                    "to allow more, start the server with: exportdb-lsp mcp FOLDER…"
                )
        return places


def _absolute(paths: list[str]) -> list[Path]:
    places = [Path(path) for path in paths]
    if not places:
        raise CallError("`paths` is empty")
    for place in places:
        if not place.is_absolute():
            raise CallError(f"{place}: the path must be absolute")
        if not place.exists():
            raise CallError(f"{place}: no such file or folder")
    return places


def _folder_of(place: Path) -> Path:
    return place if place.is_dir() else place.parent


def create(folders: tuple[Path, ...]) -> Any:
    """The server with its tools. Raises ImportError where the package `mcp` is not installed."""
    # The extra `mcp`: who only checks has no use for it, nor for pydantic, which comes with it.
    server: Any = import_module("mcp.server").MCPServer("exportdb-lsp", version=__version__, instructions=INSTRUCTIONS)
    annotations: Any = import_module("mcp.types").ToolAnnotations
    tools = Tools(folders)
    for tool, reads in (
        (tools.check, True), (tools.export, False), (tools.fix, False), (tools.explain, True), (tools.cases, True),
    ):  # fmt: skip
        server.tool(name=tool.__name__, annotations=annotations(read_only_hint=reads))(_told(tool))
    return server


def _told(tool: Callable[..., Awaitable[dict[str, Any]]]) -> Callable[..., Awaitable[dict[str, Any]]]:
    """A tool whose refusals reach the agent in their own words, and whose arguments are described in its schema."""
    error: type[Exception] = import_module("mcp.server.mcpserver.exceptions").ToolError
    field: Any = import_module("pydantic").Field

    async def call(*arguments: Any, **keywords: Any) -> dict[str, Any]:
        try:
            return await tool(*arguments, **keywords)
        except CallError as refusal:
            raise error(str(refusal)) from None

    hints = get_type_hints(tool, include_extras=True)
    described: list[inspect.Parameter] = []
    for parameter in inspect.signature(tool).parameters.values():
        kind, *about = get_args(hints[parameter.name])
        annotation: Any = Annotated[kind, field(description=about[0])]
        described.append(parameter.replace(annotation=annotation))
    call.__name__, call.__doc__ = tool.__name__, tool.__doc__
    call.__annotations__ = {p.name: p.annotation for p in described} | {"return": dict[str, Any]}
    call.__signature__ = inspect.Signature(described, return_annotation=dict[str, Any])  # pyright: ignore[reportFunctionMemberAccess]
    return call


@click.command(short_help="Serve check, export, fix, explain and cases to agents as MCP tools.")
@click.argument("folders", nargs=-1, type=click.Path(exists=True, file_okay=False, path_type=Path), metavar="[FOLDER…]")
def mcp(folders: tuple[Path, ...]) -> None:
    """Serve an agent over stdin and stdout with the Model Context Protocol.

    The tools check, export, fix, explain and cases return the JSON of the commands. Code runs (export, fix with `verify`)
    and files are written (fix with `write`) only in the FOLDERs and below them; without a FOLDER, nowhere.

    Requires the package mcp: pip install 'exportdb-lsp[mcp]'.

    \b
    Examples:
      exportdb-lsp mcp
      exportdb-lsp mcp ~/src/net
    """
    try:
        server = create(folders)
    except ImportError as error:
        raise CannotTry(f"the package mcp is not installed ({error.name}): pip install 'exportdb-lsp[mcp]'") from error
    server.run("stdio")
