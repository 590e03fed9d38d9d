"""`python -m exportdb_lsp`, which is the same program as `exportdb-lsp`."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Run the command line. Ends the process: 0 fine, 1 something was found, 2 the work could not be done."""
    if sys.argv[1:] == ["--stdio"]:
        # How editors start it: they wait, and this line of arguments needs no reading.
        from exportdb_lsp.cli.serve import serve_stdio

        serve_stdio()
    from exportdb_lsp.cli.program import Done, program

    try:
        program(prog_name="exportdb-lsp")
    except Done as done:
        sys.stdout.flush()
        sys.stderr.flush()
        # Taking the trees of a large project apart, node by node, takes seconds that nobody has to wait for.
        os._exit(done.code if isinstance(done.code, int) else 0)


if __name__ == "__main__":
    main()
