"""`python -m exportdb_lsp`, which is the same program as `exportdb-lsp`."""

from __future__ import annotations

import errno
import os
import sys


def main() -> None:
    """Run the command line. Ends the process: 0 fine, 1 something was found, 2 the work could not be done."""
    _open_standard_streams()
    if sys.argv[1:] == ["--stdio"]:
        # How editors start it: they wait, and this line of arguments needs no reading.
        from exportdb_lsp.cli.serve import serve_stdio

        serve_stdio()
    from exportdb_lsp.cli.program import Done, program

    try:
        try:
            program(prog_name="exportdb-lsp")
        except Done as done:
            sys.stdout.flush()
            sys.stderr.flush()
            # Taking the trees of a large project apart, node by node, takes seconds that nobody has to wait for.
            os._exit(done.code if isinstance(done.code, int) else 0)
    except OSError as error:
        _end_refused(error)


def _open_standard_streams() -> None:
    """Where the caller has closed one of them (`<&-`), nothing is read or written: Python leaves None in its place."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115


def _end_refused(error: OSError) -> None:
    """End where the system refuses: a full disk behind standard output, say. A reader that has gone knows it himself."""
    if error.errno != errno.EPIPE:
        place = f"{error.filename}: " if error.filename else ""
        print(f"Error: {place}{error.strerror or error}", file=sys.stderr, flush=True)
    # Not `sys.exit`: what is left in the buffers would be written again, and refused again.
    os._exit(2)


if __name__ == "__main__":
    main()
