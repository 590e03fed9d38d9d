"""`python -m exportdb_lsp`, which is the same program as `exportdb-lsp`."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Run the command line. Ends the process: 0 fine, 1 something was found, 2 the work could not be done."""
    from exportdb_lsp.cli.program import program

    try:
        program(prog_name="exportdb-lsp")
    except BrokenPipeError:
        # The reader (`head`, a pager) has seen enough. Python would complain once more when it closes stdout.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)


if __name__ == "__main__":
    main()
