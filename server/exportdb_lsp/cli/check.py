"""`exportdb-lsp check`: the options."""

from __future__ import annotations

from pathlib import Path

import click

from exportdb_lsp.cli.program import Done

FORMATS = ("text", "json", "jsonl", "github", "gitlab", "sarif")


@click.command()
@click.argument("paths", nargs=-1, type=click.Path(path_type=str), metavar="[PATH…|-]")
@click.option("--stdin-filename", metavar="FILE", help="What standard input (`-`) is called.")
@click.option("--files-from", metavar="FILE|-", help="Read the paths from a file, one a line.")
@click.option("--torch-version", metavar="V", help="The version of torch that the verdicts are for.")
@click.option("--mode", type=click.Choice(["non-strict", "strict", "both"]), help="[default: non-strict]")
@click.option(
    "--assume-dynamic",
    type=click.Choice(["none", "batch", "all"]),
    help="Which dimensions of the inputs count as dynamic where the project does not say.  [default: none]",
)
@click.option("--select", metavar="C,…", help="Only these rules: codes, beginnings of codes, names.")
@click.option("--ignore", metavar="C,…", help="Not these rules.")
@click.option(
    "--min-confidence",
    type=click.Choice(["certain", "likely", "possible"]),
    help="The least confidence that is reported.  [default: likely]",
)
@click.option("--exclude", metavar="P,…", help="Leave out what these .gitignore patterns match.")
@click.option("--output-format", type=click.Choice(FORMATS), default="text", show_default=True)
@click.option("--fix", is_flag=True, help="Apply the fixes that cannot change what eager computes.")
@click.option("--unsafe-fixes", is_flag=True, help="With --fix or --diff: also the fixes that may.")
@click.option(
    "--verify",
    is_flag=True,
    help="With --fix or --diff: keep only fixes that real exports prove. Runs the models, in your interpreter.",
)
@click.option("--diff", "show_diff", is_flag=True, help="Show what --fix would change; change nothing.")
@click.option("--baseline", type=click.Path(path_type=Path), help="Pass over the findings in this file.")
@click.option("--write-baseline", type=click.Path(path_type=Path), help="Write all findings to this file; exit 0.")
@click.option("--statistics", is_flag=True, help="Count the findings of each rule instead of listing them.")
@click.option("--exit-zero", is_flag=True, help="Exit 0 even if something was found.")
@click.option("--jobs", "-j", type=click.IntRange(0), default=1, show_default=True, help="Processes; 0: one a core.")
@click.option("--no-cache", is_flag=True, help="Find everything anew, and keep nothing for the next run.")
def check(
    paths: tuple[str, ...],
    stdin_filename: str | None,
    files_from: str | None,
    output_format: str,
    fix: bool,
    unsafe_fixes: bool,
    verify: bool,
    show_diff: bool,
    baseline: Path | None,
    write_baseline: Path | None,
    statistics: bool,
    exit_zero: bool,
    jobs: int,
    no_cache: bool,
    **settings: str | None,
) -> None:
    """Mark the lines that torch.export will fail on, or trace wrongly.

    PATHs are files and folders; folders are walked, honouring .gitignore. `-` is standard input. Nothing of the
    project is imported or run, unless with --verify.

    Exit status: 0 nothing found, 1 something found, 2 a file, a setting or an option could not be used (the rest is
    still checked).
    """
    from exportdb_lsp.checking.plan import Plan
    from exportdb_lsp.checking.store import Store
    from exportdb_lsp.cli.check_run import CheckRun, Wishes

    if verify and not (fix or show_diff):
        raise click.UsageError("--verify proves fixes: give --fix or --diff too")
    wishes = Wishes(
        output_format=output_format,
        fix=fix,
        unsafe_fixes=unsafe_fixes,
        diff=show_diff,
        statistics=statistics,
        exit_zero=exit_zero,
        baseline=baseline,
        write_baseline=write_baseline,
        verify=verify,
    )
    run = CheckRun(
        Plan({name.replace("_", "-"): value for name, value in settings.items() if value is not None}), wishes
    )
    if "-" not in paths:
        run.check_paths(paths, files_from, jobs, None if no_cache else Store.of_user())
    elif len(paths) > 1 or files_from:
        raise click.UsageError("`-` stands alone: standard input is one file")
    else:
        run.check_stdin(stdin_filename)
    raise Done(run.finish())
