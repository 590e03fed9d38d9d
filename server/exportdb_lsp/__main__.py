"""`python -m exportdb_lsp`, which is the same program as `exportdb-lsp`."""

from __future__ import annotations


def main() -> None:
    """Run the command line. Ends the process: 0 fine, 1 something was found, 2 the work could not be done."""
    from exportdb_lsp.cli.program import program

    program(prog_name="exportdb-lsp")


if __name__ == "__main__":
    main()
