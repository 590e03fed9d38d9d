"""`exportdb-lsp check`: the options."""

from __future__ import annotations

from pathlib import Path

import click

from exportdb_lsp.cli.program import Done

FORMATS = ("text", "json", "jsonl", "github", "gitlab", "sarif")


@click.command(short_help="Mark the lines that torch.export will fail on.")
@click.argument("paths", nargs=-1, type=click.Path(path_type=str), metavar="[PATH…|-]")
@click.option(
    "--stdin-filename",
    type=click.Path(),
    metavar="FILE",
    help="With `-`: the name and place of what is on standard input.",
)
@click.option(
    "--files-from",
    type=click.Path(allow_dash=True),
    metavar="FILE|-",
    help="Read PATHs from FILE or standard input: one a line, or with null bytes between them.",
)
@click.option(
    "--torch-version",
    metavar="V",
    help="The version of torch that the verdicts are for.  [default: that of the project's interpreter]",
)
@click.option(
    "--mode",
    type=click.Choice(["non-strict", "strict", "both"]),
    help="The mode or modes of export to report for.  [default: non-strict]",
)
@click.option(
    "--assume-dynamic",
    type=click.Choice(["none", "batch", "all"]),
    help="Which dimensions of the inputs count as dynamic where the project does not say.  [default: none]",
)
@click.option(
    "--select",
    metavar="C,…",
    help="Only these rules: codes (EDB101), beginnings of codes (EDB1), names (tensor-branch).",
)
@click.option("--ignore", metavar="C,…", help="Not these rules.")
@click.option(
    "--min-confidence",
    type=click.Choice(["certain", "likely", "possible"]),
    help="The least confidence that is reported.  [default: likely]",
)
@click.option(
    "--python",
    "interpreter",
    type=click.Path(),
    metavar="INTERPRETER",
    help="The Python that has your torch; only --verify starts it.  [default: the project's]",
)
@click.option("--exclude", metavar="P,…", help="Leave out what these .gitignore patterns match.")
@click.option(
    "--output-format",
    type=click.Choice(FORMATS),
    default="text",
    show_default=True,
    help="For people, for programs, or for a host of code. What went wrong is told on standard error.",
)
@click.option("--fix", is_flag=True, help="Apply the fixes that cannot change what eager computes.")
@click.option("--unsafe-fixes", is_flag=True, help="With --fix or --diff: also the fixes that may.")
@click.option(
    "--verify",
    is_flag=True,
    help="With --fix or --diff: keep only fixes that real exports prove. Runs the models, in your interpreter.",
)
@click.option("--diff", "show_diff", is_flag=True, help="Show what --fix would change; change nothing.")
@click.option(
    "--baseline",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Pass over the findings in FILE, which --write-baseline has written.",
)
@click.option(
    "--write-baseline", type=click.Path(path_type=Path), metavar="FILE", help="Write all findings to FILE; exit 0."
)
@click.option("--statistics", is_flag=True, help="Count the findings of each rule instead of listing them.")
@click.option("--exit-zero", is_flag=True, help="Exit 0 even if something was found.")
@click.option(
    "--jobs", "-j", type=click.IntRange(0), default=1, show_default=True, metavar="N", help="Processes; 0: one a core."
)
@click.option("--changed-since", metavar="REF", help="Only files that git says changed since the branch left REF.")
@click.option("--watch", is_flag=True, help="Check again after every change of a file, until interrupted.")
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
    changed_since: str | None,
    watch: bool,
    no_cache: bool,
    **settings: str | None,
) -> None:
    """Mark the lines that torch.export will fail on, or trace wrongly.

    PATHs are files and folders; folders are walked, honouring .gitignore. `-` is standard input; without a PATH it is
    the current folder. Nothing of the project is imported or run, unless with --verify.

    Settings stand in [tool.exportdb] of the pyproject.toml that is nearest to a file; options win over them. What was
    found is kept in the user's cache folder for the next run.

    Exit status: 0 nothing found, 1 something found, 2 a file, a setting or an option could not be used (the rest is
    still checked).

    \b
    Examples:
      exportdb-lsp check src/
      exportdb-lsp check --diff --unsafe-fixes model.py
      exportdb-lsp check --select EDB1 --mode both --output-format json .
      exportdb-lsp check --changed-since main
      exportdb-lsp check --watch src/
      exportdb-lsp check . --baseline known.json --output-format github
    """
    from exportdb_lsp.checking.plan import Plan
    from exportdb_lsp.checking.store import Store
    from exportdb_lsp.cli.check_run import CheckRun, Wishes
    from exportdb_lsp.interpreter import typed

    settings["interpreter"] = typed(settings.get("interpreter"))
    if verify and not (fix or show_diff):
        raise click.UsageError("--verify proves fixes: give --fix or --diff too")
    if write_baseline and show_diff:
        raise click.UsageError("--write-baseline writes down what is found, --diff shows what would be left: give one")
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
    overrides = {name.replace("_", "-"): value for name, value in settings.items() if value is not None}
    if (watch or changed_since) and "-" in paths:
        raise click.UsageError("standard input has no changes: --watch and --changed-since want files or folders")

    def check_paths() -> int:
        run = CheckRun(Plan(overrides, recorded=not no_cache), wishes)
        run.check_paths(paths, files_from, jobs, None if no_cache else Store.of_user(), changed_since)
        return run.finish()

    if watch:
        from exportdb_lsp.cli.check_watch import watch as watch_paths

        if fix or show_diff or write_baseline or files_from or output_format not in ("text", "jsonl"):
            raise click.UsageError("--watch shows findings, as text or jsonl, of files and folders that are named")
        watch_paths(paths, check_paths)
    if "-" not in paths:
        raise Done(check_paths())
    if len(paths) > 1 or files_from:
        raise click.UsageError("`-` stands alone: standard input is one file")
    run = CheckRun(Plan(overrides, recorded=not no_cache), wishes)
    run.check_stdin(stdin_filename)
    raise Done(run.finish())
