"""Starts the server that came with the extension, with whichever Python runs this file.

The environment stays as it is: a folder in PYTHONPATH would reach the interpreter that exports, too.
"""

import os
import sys

if sys.version_info < (3, 10):  # noqa: UP036 - said here, as nothing below can be read by an older one
    sys.exit("exportdb-lsp needs Python 3.10 or newer, this is %d.%d" % sys.version_info[:2])  # noqa: UP031

sys.path[0] = os.path.join(os.path.dirname(os.path.abspath(__file__)), "libs")

from exportdb_lsp.__main__ import main  # noqa: E402

main()
