"""`exportdb-lsp check`: the options."""

from __future__ import annotations

from pathlib import Path

import click

from exportdb_lsp.cli.program import Done
from exportdb_lsp.worker.goals import GOALS

FORMATS = ("text", "json", "jsonl", "github", "gitlab", "sarif")


@click.command(short_help="Find code that breaks torch.export, without running it.")
@click.argument("paths", nargs=-1, type=click.Path(path_type=str), metavar="[PATH…|-]")
@click.option(
    "--stdin-filename",
    type=click.Path(),
    metavar="FILE",
    help="With `-`: the file name to assume for stdin.",
)
@click.option(
    "--files-from",
    type=click.Path(allow_dash=True),
    metavar="FILE|-",
    help="Read PATHs from FILE, or from stdin if `-`: one per line, or separated by null bytes.",
)
@click.option(
    "--torch-version",
    metavar="V",
    help="Report the verdicts of this torch version.  [default: that of the project's interpreter]",
)
@click.option(
    "--mode",
    type=click.Choice(["non-strict", "strict", "both"]),
    help="Export mode to report verdicts for.  [default: non-strict]",
)
@click.option(
    "--assume-dynamic",
    type=click.Choice(["none", "batch", "all"]),
    help="Input dimensions to treat as dynamic if the project declares none.  [default: none]",
)
@click.option(
    "--select",
    metavar="C,…",
    help="Enable only these rules: codes (EDB101), code prefixes (EDB1), or names (tensor-branch).",
)
@click.option("--ignore", metavar="C,…", help="Disable these rules.")
@click.option(
    "--min-confidence",
    type=click.Choice(["certain", "likely", "possible"]),
    help="Minimum confidence of reported findings.  [default: likely]",
)
@click.option(
    "--python",
    "interpreter",
    type=click.Path(),
    metavar="INTERPRETER",
    help="Python interpreter with torch; only --verify starts it.  [default: the project's]",
)
@click.option(
    "--to",
    type=click.Choice(list(GOALS)),
    multiple=True,
    help="What the programs are exported for: also report operators that its tool does not support.  [default: the project's, else your call's]",
)
@click.option("--exclude", metavar="P,…", help="Exclude files that match these .gitignore patterns.")
@click.option(
    "--output-format",
    type=click.Choice(FORMATS),
    default="text",
    show_default=True,
    help="Output format. Errors go to stderr.",
)
@click.option("--fix", is_flag=True, help="Apply safe fixes, which cannot change what eager computes.")
@click.option(
    "--unsafe-fixes",
    is_flag=True,
    help="With --fix or --diff: include unsafe fixes, which may change what eager computes.",
)
@click.option(
    "--verify",
    is_flag=True,
    help="With --fix or --diff: keep only fixes that a real export verifies. Runs your models in your interpreter.",
)
@click.option("--diff", "show_diff", is_flag=True, help="Show the changes of --fix without writing them.")
@click.option(
    "--baseline",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Ignore findings recorded in baseline FILE (see --write-baseline).",
)
@click.option(
    "--write-baseline",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Record all findings in baseline FILE and exit 0.",
)
@click.option("--statistics", is_flag=True, help="Count the findings of each rule instead of listing them.")
@click.option("--exit-zero", is_flag=True, help="Exit 0 even if there are findings.")
@click.option(
    "--jobs",
    "-j",
    type=click.IntRange(0),
    default=1,
    show_default=True,
    metavar="N",
    help="Worker processes; 0 = one per core.",
)
@click.option(
    "--changed-since",
    metavar="REF",
    help="Check only files that changed since the branch diverged from REF, according to git.",
)
@click.option("--watch", is_flag=True, help="Check again whenever a file changes, until interrupted.")
@click.option("--no-cache", is_flag=True, help="Do not read or write the cache.")
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
    to: tuple[str, ...],
    **settings: str | None,
) -> None:
    """Find code that torch.export fails on, or exports incorrectly.

    PATHs are files and folders; folders are searched recursively, honouring .gitignore. `-` is stdin; the default is
    the current folder. Nothing of the project is imported or run, unless with --verify.

    Settings are read from [tool.exportdb] in the pyproject.toml nearest to a file; options override them. Results are
    cached in the user's cache folder.

    Exit status: 0 no findings, 1 findings, 2 an invalid option or setting, or an unreadable file (the other files are
    still checked).

    \b
    Examples:
      exportdb-lsp check src/
      exportdb-lsp check --diff --unsafe-fixes model.py
      exportdb-lsp check --select EDB1 --mode both --output-format json .
      exportdb-lsp check --to onnx src/
      exportdb-lsp check --changed-since main
      exportdb-lsp check --watch src/
      exportdb-lsp check . --baseline known.json --output-format github
    """
    from exportdb_lsp.checking.cache_store import CacheStore
    from exportdb_lsp.checking.interrupts import watch_for_interrupts
    from exportdb_lsp.checking.plan import Plan
    from exportdb_lsp.cli.check_run import CheckOptions, CheckRun
    from exportdb_lsp.interpreter import typed

    watch_for_interrupts()
    settings["interpreter"] = typed(settings.get("interpreter"))
    if verify and not (fix or show_diff):
        raise click.UsageError("--verify requires --fix or --diff")
    if write_baseline and show_diff:
        raise click.UsageError("--write-baseline and --diff cannot be combined")
    options = CheckOptions(
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
    overrides: dict[str, object] = {
        name.replace("_", "-"): value for name, value in settings.items() if value is not None
    }
    if to:
        overrides["to"] = to
    if (watch or changed_since) and "-" in paths:
        raise click.UsageError("--watch and --changed-since require files or folders, not stdin")

    def check_paths() -> int:
        run = CheckRun(Plan(overrides, recorded=not no_cache), options)
        run.check_paths(paths, files_from, jobs, None if no_cache else CacheStore.of_user(), changed_since)
        return run.finish()

    if watch:
        from exportdb_lsp.cli.check_watch import watch as watch_paths

        if fix or show_diff or write_baseline or files_from or output_format not in ("text", "jsonl"):
            raise click.UsageError("--watch supports only text and jsonl output of named files and folders")
        watch_paths(paths, check_paths)
    if "-" not in paths:
        raise Done(check_paths())
    if len(paths) > 1 or files_from:
        raise click.UsageError("`-` (stdin) cannot be combined with other paths")
    run = CheckRun(Plan(overrides, recorded=not no_cache), options)
    run.check_stdin(stdin_filename)
    raise Done(run.finish())
