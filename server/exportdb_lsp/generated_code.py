"""Keeps the code of generated methods between starts, as Python keeps that of modules.

attrs, cattrs and dataclasses write the source of `__init__`, `__eq__` and the like for every class, and compile it at
every start. The protocol has some 550 classes: to compile theirs took a third of the time until the server answered.
Code is found again by its whole source, so an update of any of the libraries finds nothing and compiles anew.

It lies where the bytecode of this file lies, with all that holds for bytecode: no file where Python is told to write
none or may not, and whoever may write there could have changed the modules as well.
"""

from __future__ import annotations
import __future__

import contextlib
import importlib.util
import marshal
import sys
import threading
import zlib
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from exportdb_rules.disk import LARGEST_KEPT, read_bytes

if TYPE_CHECKING:
    from types import CodeType

    Key = tuple[str, str, str, int]

# Which builtin each of the libraries calls: a name of the module hides it from that module alone.
COMPILERS: Final = ("cattrs.gen", "attr._make")
EXECUTORS: Final = ("dataclasses",)
# More than this many sources are not from one version of the libraries; then only what a session used is kept.
MOST: Final = 4000
_MARK: Final = importlib.util.MAGIC_NUMBER + b"1"
_FLAGS: Final = sum(getattr(__future__, name).compiler_flag for name in __future__.all_feature_names)
_builtin_exec: Final = exec


def _future(depth: int) -> int:
    """The flags of `__future__` of a caller, which the builtins read for themselves."""
    return sys._getframe(depth + 1).f_code.co_flags & _FLAGS  # pyright: ignore[reportPrivateUsage]


class GeneratedCode:
    """The code that earlier sessions compiled, and what this one adds to it."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path or Path(importlib.util.cache_from_source(__file__)).with_suffix(".generated")
        self._known = self._load()
        self._used: dict[Key, CodeType] = {}
        self._added = 0

    def _load(self) -> dict[Key, CodeType]:
        with contextlib.suppress(OSError, ValueError, EOFError, TypeError):
            data = read_bytes(self._path, LARGEST_KEPT)
            head = len(_MARK) + 4
            # marshal may not be given what a broken disk makes of a file.
            if data[: len(_MARK)] == _MARK and data[len(_MARK) : head] == zlib.crc32(data[head:]).to_bytes(4, "big"):
                known: dict[Key, CodeType] = marshal.loads(data[head:])
                return known
        return {}

    def compile(self, source: Any, filename: str, mode: str, flags: int = 0, dont_inherit: bool = False) -> Any:
        """The builtin `compile`, which looks among the known code first."""
        if not dont_inherit:
            flags |= _future(1)
        return self._code(source, filename, mode, flags)

    def execute(self, source: Any, scope: dict[str, Any] | None = None, local: dict[str, Any] | None = None) -> None:
        """The builtin `exec` with its scopes given, which looks among the known code first."""
        if isinstance(source, str):
            source = self._code(source, "<string>", "exec", _future(1))
        _builtin_exec(source, scope, local)

    def _code(self, source: Any, filename: str, mode: str, flags: int) -> CodeType:
        if not isinstance(source, str):
            return compile(source, filename, mode, flags, dont_inherit=True)
        key = (source, filename, mode, flags)
        code = self._known.get(key)
        if code is None:
            code = self._known[key] = compile(source, filename, mode, flags, dont_inherit=True)
            self._added += 1
        self._used[key] = code
        return code

    def serve(self) -> None:
        """Stand in for the builtins in the libraries, for as long as the process lives. One that is gone is no loss."""
        for names, builtin, ours in ((COMPILERS, "compile", self.compile), (EXECUTORS, "exec", self.execute)):
            for name in names:
                with contextlib.suppress(ImportError):
                    setattr(import_module(name), builtin, ours)

    def save(self) -> None:
        """Keep what was compiled, if anything was. Says nothing where that cannot be done."""
        if not self._added or sys.dont_write_bytecode:
            return
        from exportdb_lsp.files.rewriting import replace_atomically

        self._added = 0
        # Copies, because the session goes on in another thread.
        body = marshal.dumps(dict(self._known if len(self._known) <= MOST else self._used))
        with contextlib.suppress(OSError):
            self._path.parent.mkdir(exist_ok=True)
            replace_atomically(self._path, _MARK + zlib.crc32(body).to_bytes(4, "big") + body)

    def save_after(self, seconds: float) -> None:
        """Save in a while: what a session needs for its first answers is known then, and nobody waits for it."""
        timer = threading.Timer(seconds, self.save)
        timer.daemon = True
        timer.start()
