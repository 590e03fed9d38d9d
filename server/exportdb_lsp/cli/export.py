"""`exportdb-lsp export`: really export the models of a file, and say what came of it."""

from __future__ import annotations

import json
import re
import time
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from exportdb_rules.finding import Problem
from rich.console import Console
from rich.markup import escape

from exportdb_lsp.cli.program import CannotTry, tell_withheld
from exportdb_lsp.confirm import kept_verdicts, sites, targets
from exportdb_lsp.confirm.confirmer import Confirmer, RequestError
from exportdb_lsp.confirm.request import ExportRequest
from exportdb_lsp.confirm.result import DimensionOutcome, ExportResult, Frame, InputOrigin, Outcome
from exportdb_lsp.confirm.targets import NEEDED
from exportdb_lsp.confirm.verification import VerifyRequest
from exportdb_lsp.files.names import problem_line
from exportdb_lsp.files.notebook import SUFFIX, read_notebook
from exportdb_lsp.files.rewriting import FileError, read_text_file, replace_atomically, write_back
from exportdb_lsp.files.walk import find_files
from exportdb_lsp.interpreter import find_interpreter, typed
from exportdb_lsp.links import graph_break_page
from exportdb_lsp.settings import MAX_SECONDS, MODES, for_path, parse_bytes, project_root
from exportdb_lsp.worker.goals import GOALS

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence

# Of the user's code, in characters: nobody reads further.
LONGEST_LINE = 300
COLOURS = {
    Outcome.OK: "green",
    Outcome.NO_INPUTS: "yellow",
    Outcome.NOT_REBUILT: "yellow",
    Outcome.NO_TOOLS: "yellow",
    Outcome.EAGER_ERROR: "yellow",
    Outcome.SPECIALIZES: "magenta",
}


def memory(ctx: click.Context, param: click.Parameter, value: str | None) -> int | None:
    """`4GiB`, `512MB`, or a number of bytes."""
    try:
        return None if value is None else parse_bytes(value)
    except ValueError as error:
        raise click.BadParameter(str(error), ctx, param) from error


python_option = click.option(
    "--python",
    "interpreter",
    type=click.Path(),
    metavar="INTERPRETER",
    help="Python interpreter with torch.  [default: the project's]",
)
"""For commands that export: which interpreter does."""

goals_option = click.option(
    "--to",
    "goals",
    type=click.Choice(list(GOALS)),
    multiple=True,
    help="Take each program to this goal, and compare what is made of it with eager.  [default: the project's, else your call's]",
)
"""For commands that export: what for."""

timeout_option = click.option(
    "--timeout",
    type=click.FloatRange(min=0.1, max=MAX_SECONDS),
    metavar="S",
    help="Time limit per export, in seconds.  [default: 60]",
)
"""For commands that export: how long one may take."""


@click.command("export", short_help="Export models and compare the exported programs with eager.")
@click.argument("target", type=click.Path(), metavar="FILE[::NAME]|FOLDER")
@click.option(
    "--mode",
    type=click.Choice(["non-strict", "strict", "both"]),
    help="Export mode.  [default: the project's, else non-strict]",
)
@click.option(
    "--dynamic",
    type=click.Choice(["given", "none", "auto"]),
    default="given",
    show_default=True,
    help="Dynamic dimensions: those of the example inputs, none, or `auto` (Dim.AUTO everywhere, to find which can be dynamic).",
)
@goals_option
@python_option
@timeout_option
@click.option(
    "--memory-limit", callback=memory, metavar="M", help="Memory limit per export, such as 512MB.  [default: 4GiB]"
)
@click.option(
    "--fix",
    is_flag=True,
    help="If FILE's Dim declarations fail, rewrite them as torch suggests when an export verifies the result.",
)
@click.option("--train", is_flag=True, help="Export and compare in training mode.")
@click.option(
    "--show-graph", is_flag=True, help="Print the exported ATen graph, or with --to what the goal's tool made of it."
)
@click.option("-v", "--verbose", is_flag=True, help="Also print torch's messages and the model's output.")
@click.option(
    "--output-format",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="Output format.",
)
@click.option("--junit", type=click.Path(path_type=Path), metavar="FILE", help="Also write the results as JUnit XML.")
def export(
    target: str,
    mode: str | None,
    dynamic: Any,
    goals: tuple[str, ...],
    interpreter: str | None,
    timeout: float | None,
    memory_limit: int | None,
    fix: bool,
    train: bool,
    show_graph: bool,
    verbose: bool,
    output_format: str,
    junit: Path | None,
) -> None:
    """Export the models of FILE with torch.export, and compare the exported programs with eager.

    NAME is a class, a function, a test, a module-level name, or the line of a torch.export call. Without NAME, every
    torch.export call in FILE and every model with example inputs is exported; if there are none, every model. Example
    inputs are taken from a comment above the model, the project's settings, the module or a call in the project;
    otherwise they are inferred. In a FOLDER, every file with a torch.export call or a model is exported.

    With --to onnx, torch.onnx.export converts the model, onnxruntime runs the result, and its outputs are compared with
    those of eager; so are the results of your own calls of torch.onnx.export. What this needs (onnx, onnxscript, onnxruntime)
    must be installed in the project's interpreter.

    FILE runs up to its last torch.export call, or is imported, in a separate process of the project's interpreter. --fix
    changes only the Dim declarations of FILE, and only if the export then succeeds.

    Exit status: 0 every target exports faithfully in every requested mode, 1 a target does not, 2 a target could not be
    exported at all (no inputs, import error, nothing installed that --to needs, …).

    \b
    Examples:
      exportdb-lsp export model.py
      exportdb-lsp export model.py::Net --mode both --show-graph
      exportdb-lsp export model.py::Net --dynamic auto
      exportdb-lsp export model.py --to onnx
      exportdb-lsp export model.py --python .venv/bin/python --junit export.xml
    """
    filename, _, name = target.partition("::")
    path = Path(filename).absolute()
    if fix and (path.is_dir() or path.suffix == SUFFIX):
        raise click.UsageError("--fix requires exactly one Python file.")
    settings, problems = for_path(path)
    for problem in problems:
        if problem.name not in NEEDED:
            click.echo(f"warning: {problem_line(problem)}", err=True)
    tell_withheld(settings, interpreter)
    root = project_root(path)
    request = ExportRequest(
        filename=str(path),
        name=name or None,
        modes=MODES[mode] if mode else settings.modes,
        own_mode=mode is None,
        goals=goals or settings.to,
        folder=Path.cwd(),
        dynamic=dynamic,
        interpreter=find_interpreter(typed(interpreter) or settings.interpreter, root),
        root=root,
        timeout=timeout or settings.timeout,
        memory_limit=memory_limit or settings.memory_limit,
        show_graph=show_graph,
        train=train,
    )
    confirmer = Confirmer()
    began = time.time()
    try:
        with progress() as tell:
            results = _of_folder(confirmer, request, tell) if path.is_dir() else _of_file(confirmer, request, tell)
            if fix and (titles := redeclare(confirmer, request, results, tell)):
                results = confirmer.run(request, on_progress=tell)
                click.echo(f"{_short(str(path))}: {'; '.join(titles)}", err=True)
    except RequestError as error:
        raise CannotTry(str(error)) from error
    except FileError as error:
        raise CannotTry(f"{path}: {error}") from error
    finally:
        confirmer.close()
    if dynamic == "given" and not train:
        kept_verdicts.keep(results, began)
    if junit is not None:
        write_junit(junit, results)
    if output_format == "json":
        click.echo(json.dumps([result.to_json() for result in results], indent=2))
    else:
        show(results, Console(highlight=False, soft_wrap=True), verbose=verbose)
    raise click.exceptions.Exit(exit_code(results))


def _of_file(confirmer: Confirmer, request: ExportRequest, tell: Callable[[str], None]) -> tuple[ExportResult, ...]:
    """One file; a notebook as the Python of its cells, with the places that it has in them.

    Raises:
        FileError: it is a notebook that cannot be read.
        FixNotApplicable: nothing could be tried.
    """
    if not request.filename.endswith(SUFFIX):
        return confirmer.run(request, on_progress=tell)
    book = read_notebook(Path(request.filename))
    results = confirmer.run(replace(request, text=book.text), on_progress=tell)

    def placed(frame: Frame) -> Frame:
        if frame.filename != request.filename:
            return frame
        cell, row = book.place(frame.row)
        return replace(frame, cell=cell, row=row)

    def frames(given: tuple[Frame, ...]) -> tuple[Frame, ...]:
        return tuple(map(placed, given))

    return tuple(
        replace(
            result,
            frames=frames(result.frames),
            origin=frames(result.origin),
            failures=tuple(replace(failure, frames=frames(failure.frames)) for failure in result.failures),
            dimensions=tuple(replace(one, cause=placed(one.cause)) if one.cause else one for one in result.dimensions),
        )
        for result in results
    )


def _of_folder(confirmer: Confirmer, request: ExportRequest, tell: Callable[[str], None]) -> tuple[ExportResult, ...]:
    """Every file below a folder that has something to export; what cannot be read is named on standard error.

    Raises:
        FixNotApplicable: there is no such file.
    """
    problems: list[Problem] = []
    results: list[ExportResult] = []
    for path in find_files([request.filename], problems):
        try:
            text = read_notebook(path).text if path.suffix == SUFFIX else read_text_file(path).text
            wanted = bool(sites.of_text(text).sites or targets.find(text, str(path)))
        except FileError as error:
            problems.append(Problem(str(path), str(error)))
            continue
        except (SyntaxError, ValueError):
            wanted = True  # the result says what is wrong with it
        if wanted:
            tell(_short(str(path)))
            results += _of_file(confirmer, replace(request, filename=str(path)), tell)
    for problem in problems:
        click.echo(problem_line(problem), err=True)
    if not results:
        raise RequestError(f"{request.filename} has nothing to export: no torch.export call and no model")
    return tuple(results)


@contextmanager
def progress() -> Generator[Callable[[str], None]]:
    """Where to tell what is being worked on: a line that goes away, on a terminal."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda _: None
        return
    with console.status("starting") as status:
        yield lambda text: status.update(escape(text))


def redeclare(
    confirmer: Confirmer, request: ExportRequest, results: Sequence[ExportResult], tell: Callable[[str], None]
) -> list[str]:
    """Write other Dims into the file, where exports failed by those that it has and others are proven; the titles of
    the fixes that were applied.

    Raises:
        FixNotApplicable: nothing could be tried.
        FileError: the file cannot be written.
    """
    # The rewrites, which nothing else here needs.
    from exportdb_lsp.confirm.redeclaring import redeclared

    file = read_text_file(Path(request.filename))
    text, titles = file.text, list[str]()
    for name in dict.fromkeys(result.target for result in results):
        asked = VerifyRequest(
            request.filename, text, text, name, request.modes, request.interpreter, request.root, request.timeout,
            request.memory_limit,
        )  # fmt: skip
        found = redeclared(confirmer, asked, [r for r in results if r.target == name], on_progress=tell)
        if found is not None:
            text = found.text
            titles += [title for title in found.titles if title not in titles]
    if titles:
        write_back(file, text, request.root)
    return titles


def write_junit(path: Path, results: Sequence[ExportResult]) -> None:
    """The results as JUnit XML, whole or not at all.

    Raises:
        CannotTry: the file cannot be written.
    """
    from exportdb_lsp.output.junit import to_xml

    write_file(path, to_xml(results))


def write_results(path: Path, results: Sequence[ExportResult]) -> None:
    """The results as JSON, whole or not at all.

    Raises:
        CannotTry: the file cannot be written.
    """
    write_file(path, (json.dumps([result.to_json() for result in results], indent=2) + "\n").encode())


def write_file(path: Path, data: bytes) -> None:
    """A file, whole or not at all.

    Raises:
        CannotTry: it cannot be written.
    """
    try:
        replace_atomically(path, data)
    except FileError as error:
        raise CannotTry(f"{path}: {error}") from error
    except OSError as error:
        raise CannotTry(f"{path}: cannot be written: {error.strerror}") from error


def exit_code(results: Sequence[ExportResult]) -> int:
    """What could not be tried weighs more than what failed: nothing is known about it."""
    if any(result.outcome.untried for result in results) or not results:
        return 2
    return 0 if all(result.outcome is Outcome.OK for result in results) else 1


def show(results: Sequence[ExportResult], console: Console, *, verbose: bool = False) -> None:
    """The results for people: the verdict first, then the line, then what is known beyond.

    `verbose` adds torch's own text, and what the model printed.
    """
    for result in results:
        colour = COLOURS.get(result.outcome, "red")
        frame = result.frame
        place = f"{_short(frame.where)}:{frame.row}: " if frame else f"{_short(result.filename)}: "
        console.print(
            f"{escape(place)}[bold]{escape(result.target)}[/] ({result.how}) "
            f"[{colour}]{result.outcome.value}[/]: {escape(result.message)}"
        )
        for line in [*_details(result), *(_verbatim(result) if verbose else ())]:
            console.print("    " + escape(line))
        if result.graph is not None:
            console.print(escape(result.graph.text))


def _details(result: ExportResult) -> list[str]:
    lines: list[str] = []
    if result.frame is not None and result.frame.code:
        code = result.frame.code
        lines.append(f"> {code if len(code) <= LONGEST_LINE else code[:LONGEST_LINE] + ' …'}")
    if len(result.frames) > 1:
        lines.append("called from " + " > ".join(f"{_short(f.where)}:{f.row}" for f in result.frames))
    if result.origin and result.origin[-1:] != result.frames[-1:]:
        origin = result.origin[-1]
        lines.append(f"the data-dependent value is created at {_short(origin.where)}:{origin.row}: {origin.code}")
    exception = result.exception if result.outcome is Outcome.FAILS else None
    marks = [mark for mark in (exception, result.graph_break_id, result.case) if mark]
    if marks:
        page = f", {graph_break_page(result.graph_break_id)}" if result.graph_break_id else ""
        lines.append("torch: " + ", ".join(marks) + page)
    lines += [f"hint: {hint}" for hint in result.hints]
    if result.remark:
        lines.append(f"not checked: {result.remark}")
    lines += [f"torch suggests {name} = {fix}" for name, fix in result.suggested_fixes.items()]
    for failure in result.failures:
        frame = failure.frame
        place = f" ({_short(frame.where)}:{frame.row})" if frame else ""
        lines.append(f"{'later' if failure.reached else 'not reached'}: {failure.message}{place}")
    if result.rule is not None:
        lines.append(f"rule: {result.rule.code} {result.rule.name}, {result.rule.url}")
        if result.rule.fix:
            lines.append(
                f"fix: {result.rule.fix} (exportdb-lsp check --fix{' --unsafe-fixes' if result.rule.unsafe else ''})"
            )
    if result.counts:
        lines.append(", ".join(f"{count} {_counted(name, count)}" for name, count in result.counts.items() if count))
    lines += _delegation(result)
    for name, value in result.constants.items():
        lines.append(f"the program accepts only `{name}={value}`: non-tensor inputs are specialized to constants")
    for dimension in result.dimensions:
        lines.append(_dimension(dimension))
    told = {dimension.symbol for dimension in result.dimensions}
    lines += [_range(name, text) for name, text in result.range_constraints.items() if name not in told]
    if result.dynamic_shapes:
        lines.append(f"dynamic_shapes={result.dynamic_shapes}")
    if result.inputs is not None:
        kwargs = f" kwargs={result.inputs.kwargs}" if result.inputs.kwargs else ""
        built = f"{result.inputs.constructor} with " if result.inputs.constructor else ""
        place = f" at {result.inputs.place}" if result.inputs.place else ""
        lines.append(f"inputs ({result.inputs.source.value}{place}): {built}{result.inputs.args}{kwargs}")
        if result.inputs.source is InputOrigin.INFERRED:
            lines.append(f"to reuse them, write above the class: {result.inputs.as_comment()}")
    return lines


def _delegation(result: ExportResult) -> list[str]:
    """How many operators a backend takes, and the lines of those that it does not."""
    if not result.delegation:
        return []
    delegated = sum(len(line.delegated) for line in result.delegation)
    portable = sum(len(line.portable) for line in result.delegation)
    lines = [f"XNNPACK: {delegated} of {delegated + portable} operators"]
    for line in result.delegation:
        if line.portable:
            names = ", ".join(dict.fromkeys(line.portable))
            lines.append(f"portable kernels at {_short(line.filename)}:{line.row}: {names}")
    return lines


def _verbatim(result: ExportResult) -> list[str]:
    lines: list[str] = []
    draft = result.draft
    for title, text in (
        ("message of torch:", result.detail),
        ("report of draft_export:", draft),
        ("output of the model:", result.output),
    ):
        if text.strip():
            lines += [title, *(f"| {line}" for line in text.rstrip().splitlines())]
    return lines


def _counted(name: str, count: int) -> str:
    return name.removesuffix("s") if count == 1 else name


def _dimension(dimension: DimensionOutcome) -> str:
    head = f"{dimension.input}[{dimension.axis}] = {dimension.size}: "
    if dimension.dynamic and dimension.lower is None and dimension.upper is None:
        text = f"dynamic, {dimension.symbol}"  # an expression: the range is that of its symbol
    elif dimension.dynamic:
        text = f"dynamic, {_between(dimension.symbol, str(dimension.lower or 0), str(dimension.upper or ''))}"
    else:
        text = f"specialized to {dimension.symbol}"
    cause = dimension.cause
    if cause is None:
        return head + text + (f", {dimension.reason}" if dimension.reason and not dimension.dynamic else "")
    by = f"by {_short(cause.where)}:{cause.row} `{cause.code}`"
    # What narrows or ties a size that stays dynamic is told as torch writes it: `Eq(Mod(s27, 2), 0)`.
    return f"{head}{text}; {dimension.reason} is assumed {by}" if dimension.dynamic else f"{head}{text}, {by}"


def _range(name: str, text: str) -> str:
    """`VR[2, int_oo]`, as torch writes it, as `2 <= name`."""
    match = re.fullmatch(r"VR\[(.+), (.+)\]", text)
    if match is None:
        return f"{name} in {text}"
    low, high = ("" if re.search(r"oo$|\d{18}", bound) else bound for bound in match.groups())
    return _between(name, low, high)


def _between(name: str, low: str, high: str) -> str:
    """A range as Python writes it; the size of a tensor ends at a number that nobody ever meets, which is left out."""
    return (
        f"{low} <= {name}"
        if low and not high
        else f"{low + ' <= ' if low else ''}{name}{' <= ' + high if high else ''}"
    )


def _short(filename: str) -> str:
    try:
        return str(Path(filename).relative_to(Path.cwd()))
    except ValueError:
        return filename
