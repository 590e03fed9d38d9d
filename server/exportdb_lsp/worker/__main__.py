"""Start of the worker: takes the wire away from stdin and stdout, then waits for work.

The process is started as `python <this file>`. Its directory must not stay on `sys.path`: a file of ours would shadow
a user's module of the same name. So the directory is made a package by hand, under a name that nobody else has.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys

PACKAGE = "_exportdb_worker"


def _become_package(directory: str) -> None:
    sys.path[:] = [entry for entry in sys.path if os.path.realpath(entry or ".") != directory]
    spec = importlib.util.spec_from_file_location(
        PACKAGE, os.path.join(directory, "__init__.py"), submodule_search_locations=[directory]
    )
    assert spec is not None
    assert spec.loader is not None
    package = importlib.util.module_from_spec(spec)
    sys.modules[PACKAGE] = package
    spec.loader.exec_module(package)


def main() -> None:
    """`python __main__.py [--folder FOLDER] [--fresh | --once | --run FILE]`: the warm parent, a parent that cannot fork,
    one export and out, or a program of the user's with its calls watched. Temporary files go to the folder."""
    _become_package(os.path.dirname(os.path.realpath(__file__)))
    if sys.argv[1:2] == ["--run"]:
        importlib.import_module(PACKAGE + ".run").main(sys.argv[2])
        return
    wire = importlib.import_module(PACKAGE + ".wire")
    channel = wire.take_standard_streams()
    if "--once" in sys.argv:
        importlib.import_module(PACKAGE + ".supervise").serve_once(channel)
    else:
        folder = sys.argv[sys.argv.index("--folder") + 1] if "--folder" in sys.argv else None
        importlib.import_module(PACKAGE + ".supervise").serve(channel, "--fresh" not in sys.argv, folder)


if __name__ == "__main__":
    main()
