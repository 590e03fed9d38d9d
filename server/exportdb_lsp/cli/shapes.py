"""`exportdb-lsp shapes`: which dimensions of a model can be dynamic, read off its code."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from exportdb_rules.project import Project
from exportdb_rules.proposal import proposals

from exportdb_lsp.checking.plan import Plan
from exportdb_lsp.cli.program import CannotTry, tell_withheld
from exportdb_lsp.files.names import problem_line, shown
from exportdb_lsp.files.notebook import SUFFIX

if TYPE_CHECKING:
    from collections.abc import Iterator

    from exportdb_rules.proposal import Axis, Proposal, Reason


@click.command(short_help="Propose dynamic_shapes, and name the lines that specialize the other dimensions.")
@click.argument("target", type=click.Path(), metavar="FILE[::NAME]")
@click.option(
    "--torch-version", metavar="V", help="Version of torch that the export is for.  [default: the interpreter's]"
)
@click.option(
    "--output-format",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="Output format; `text` is Python code.",
)
def shapes(target: str, torch_version: str | None, output_format: str) -> None:
    """Propose the widest dynamic_shapes that the models of FILE hold for, and name the lines that specialize the rest.

    NAME is a class, or a function that FILE exports. Every dimension of the example inputs that `export` would take is
    assumed to be dynamic; what the operators and branches of the code require of it is then declared: one Dim for equal
    dimensions, a derived Dim, a range, Dim.AUTO for what no Dim expresses. No code runs: `exportdb-lsp export FILE --dynamic
    auto` verifies the result.

    Exit status: 0 a proposal was made, 2 no model of FILE has known example inputs, or FILE cannot be read.

    \b
    Examples:
      exportdb-lsp shapes model.py::Net
      exportdb-lsp shapes model.py::Net > shapes.py
      exportdb-lsp shapes model.py --output-format json
    """
    filename, _, name = target.partition("::")
    path = Path(filename).absolute()
    if path.is_dir() or path.suffix == SUFFIX:
        raise click.UsageError("shapes requires exactly one Python file.")
    plan = Plan({} if torch_version is None else {"torch-version": torch_version})
    group = plan.groups([path])[0]
    for problem in plan.problems:
        click.echo(f"warning: {problem_line(problem)}", err=True)
    tell_withheld(plan.settings(group.root), None)
    project = Project(group.root)
    try:
        found = proposals(project, str(path), group.settings, name)
    except SyntaxError as error:
        raise CannotTry(f"{filename}: syntax error: {error.msg}") from error
    except OSError as error:
        raise CannotTry(f"{filename}: cannot be read: {error.strerror or error}") from error
    except ValueError as error:
        raise CannotTry(f"{filename}: cannot be read: {error}") from error
    if not found:
        what = f"no class or exported function {name!r}" if name else "no model"
        raise CannotTry(
            f"{filename} has {what} whose example inputs are known: write them above it as a comment, "
            "`# exportdb: args=(torch.randn(2, 3),)`"
        )
    if output_format == "json":
        click.echo(json.dumps([_to_json(one, group.settings.torch_version) for one in found], indent=2))
    else:
        click.echo("\n\n".join(["\n".join(_lines(one)) for one in found]))


def _to_json(found: Proposal, torch: str) -> dict[str, Any]:
    return {
        "target": found.target,
        "filename": found.filename,
        "torch": torch,
        "dynamic_shapes": found.dynamic_shapes,
        "dims": [{"name": name, "min": low, "max": high} for name, low, high in found.dims],
        "axes": [
            {
                "input": axis.input,
                "axis": axis.index,
                "size": axis.size,
                "dimension": axis.dimension,
                "min": axis.low,
                "max": axis.high,
                "reasons": [_reason_to_json(reason) for reason in axis.reasons],
            }
            for axis in found.axes
        ],
        "notes": list(found.notes),
    }


def _reason_to_json(reason: Reason) -> dict[str, Any]:
    if not reason.row:
        return {"filename": None, "row": None, "column": None, "code": None, "message": reason.message}
    return asdict(reason)


def _lines(found: Proposal) -> Iterator[str]:
    """A proposal as code that can be pasted: why a dimension is not dynamic, or narrower, stands above its input."""
    yield f"# {found.target} ({shown(found.filename)}): what its code allows; `exportdb-lsp export --dynamic auto` verifies it"
    for note in found.notes:
        yield f"# note: {note}"
    yield "from torch.export import Dim"
    yield ""
    for name, low, high in found.dims:
        bounds = "".join([f", {key}={value}" for key, value in (("min", low), ("max", high)) if value is not None])
        yield f'{name} = Dim("{name}"{bounds})'
    yield "dynamic_shapes = {"
    for name, code in found.shapes:
        for axis in found.axes:
            if axis.input == name or axis.input.startswith(f"{name}["):
                yield from [f"    # {_said(axis)}: {_place(reason)}" for reason in axis.reasons]
        yield f'    "{name}": {code},'
    yield "}"


def _said(axis: Axis) -> str:
    place = f"{axis.input}.shape[{axis.index}]"
    return f"{place} is static" if axis.dimension is None else place


def _place(reason: Reason) -> str:
    return f"{shown(reason.filename)}:{reason.row}: {reason.message}" if reason.row else reason.message
