"""`exportdb-lsp run`: a program of the user's, with a verdict on each export that it makes."""

from __future__ import annotations

import time
from pathlib import Path

import click
from rich.console import Console

from exportdb_lsp.cli.export import goals_option, memory, python_option, show, write_junit, write_results
from exportdb_lsp.cli.program import CannotTry, tell_withheld
from exportdb_lsp.confirm import kept_verdicts, recorded
from exportdb_lsp.confirm import program as programs
from exportdb_lsp.confirm.request import ExportRequest
from exportdb_lsp.interpreter import find_interpreter, typed
from exportdb_lsp.settings import MAX_SECONDS, MODES, for_path, project_root


@click.command(
    "run",
    short_help="Run a program and check every export call in it.",
    context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False},
)
@click.option("-m", "module", metavar="MODULE", help="Run a module, like `python -m MODULE`: `-m pytest tests/`.")
@click.option(
    "--mode",
    type=click.Choice(["non-strict", "strict", "both"]),
    help="Export mode for each call.  [default: the mode of the call]",
)
@goals_option
@python_option
@click.option(
    "--timeout",
    type=click.FloatRange(min=0.1, max=MAX_SECONDS),
    metavar="S",
    help="Time limit per call, in seconds.  [default: 60]",
)
@click.option(
    "--limit",
    type=click.FloatRange(min=0.1, max=MAX_SECONDS),
    metavar="S",
    help="Time limit for the whole program, in seconds.",
)
@click.option("--memory-limit", callback=memory, metavar="M", help="Memory limit per call.  [default: 4GiB]")
@click.option(
    "--show-graph", is_flag=True, help="Print the exported ATen graphs, or with --to what the goal's tool made of them."
)
@click.option("-v", "--verbose", is_flag=True, help="Also print torch's message.")
@click.option("--results", type=click.Path(path_type=Path), metavar="FILE", help="Write the results as JSON.")
@click.option("--junit", type=click.Path(path_type=Path), metavar="FILE", help="Write the results as JUnit XML.")
@click.option("--no-record", is_flag=True, help="Do not record the calls for check, export and the editor.")
@click.argument("program", nargs=-1, type=click.UNPROCESSED, metavar="[SCRIPT] [ARGS]...")
def run(
    module: str | None,
    mode: str | None,
    goals: tuple[str, ...],
    interpreter: str | None,
    timeout: float | None,
    limit: float | None,
    memory_limit: int | None,
    show_graph: bool,
    verbose: bool,
    results: Path | None,
    junit: Path | None,
    no_record: bool,
    program: tuple[str, ...],
) -> None:
    """Run SCRIPT, or a MODULE, as Python would, and check each export call in it.

    Calls of torch.export.export, draft_export and torch.onnx.export (with dynamo) are intercepted wherever they occur.
    Each export runs with its own model, arguments, shapes, options and contexts, and a forked copy of the process
    compares the exported program with eager. The program itself is unaffected: its output, files and exit status do not
    change. The verdicts are reported on stderr.

    Exit status: that of the program; 124 if it exceeded --limit; 2 if it could not be started.

    \b
    Examples:
      exportdb-lsp run export_model.py --checkpoint best.pt
      exportdb-lsp run -m pytest tests/test_export.py
      exportdb-lsp run --results exports.json --junit exports.xml train.py
    """
    if module is None and not program:
        raise click.UsageError("Specify a SCRIPT, or a module with -m.")
    script, arguments = (module, program) if module is not None else (program[0], program[1:])
    if module is None and not Path(script).exists():
        raise CannotTry(f"{script}: no such file")
    here = Path.cwd() if module is not None else Path(script).absolute()
    settings, _ = for_path(here)
    tell_withheld(settings, interpreter)
    root = project_root(here)
    request = ExportRequest(
        filename=str(Path(script).absolute()) if module is None else str(Path.cwd() / "<module>"),
        modes=MODES[mode] if mode else settings.modes,
        own_mode=mode is None,
        goals=goals or settings.to,
        interpreter=find_interpreter(typed(interpreter) or settings.interpreter, root),
        root=root,
        timeout=timeout or settings.timeout,
        memory_limit=memory_limit or settings.memory_limit,
        show_graph=show_graph,
    )
    began = time.time()
    try:
        ended = programs.run(programs.Program(script, tuple(arguments), module is not None), request, limit=limit)
    except programs.CannotStart as error:
        raise CannotTry(str(error)) from error
    if not no_record:
        recorded.keep(ended.calls, script, arguments, is_module=module is not None)
        kept_verdicts.keep(ended.results, began)
    if results is not None:
        write_results(results, ended.results)
    if junit is not None:
        write_junit(junit, ended.results)
    console = Console(stderr=True, highlight=False, soft_wrap=True)
    show(ended.results, console, verbose=verbose)
    console.print(programs.summary(ended.results))
    raise click.exceptions.Exit(ended.status)
