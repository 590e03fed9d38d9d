"""Running a file up to the calls in it: as the program that it is, or one function or test of it."""

from __future__ import annotations

import ast
import importlib
import inspect
import os
import sys
from contextlib import suppress
from types import CodeType, ModuleType
from typing import Any

from . import load
from .wire import Message


class CannotHold(Exception):
    """There is no such function, or nothing to run it with; the message says what."""


def run(message: Message) -> None:
    """Run the holder of a job until it ends by itself.

    `message["holder"]` says how: `main` (as the program), `program` (another one, with its arguments), `function`,
    `unittest`, `pytest`; `names` are those of the functions or tests, as `Class.method`.

    Raises:
        BaseException: whatever the program raises.
        CannotHold: the holder is not there, or pytest is not.
    """
    holder = message["holder"]
    how, names = holder["how"], holder["names"]
    if how == "program":
        _program(message, holder["program"])
    elif how == "main":
        main(message["filename"], message["text"], message["root"], message["documents"])
    elif how == "pytest":
        _pytest(message, names)
    else:
        module = load.load(message["filename"], message["text"], message["root"], message["documents"])
        for name in names:
            if how == "unittest":
                _unittest(module, name)
            else:
                _function(module, name)


def main(filename: str, text: str, root: str, documents: dict[str, str]) -> None:
    """A file as `python FILE` runs it, from a text."""
    name, paths = load.place(filename, text, root)
    sys.path[:0] = [entry for entry in (os.path.dirname(filename), *paths) if entry not in sys.path]
    sys.meta_path.insert(0, load.OpenDocuments(dict(documents, **{filename: text})))
    sys.dont_write_bytecode = True
    module = ModuleType("__main__")
    package = name.rpartition(".")[0]
    if package:
        importlib.import_module(package)
    module.__dict__.update(__file__=filename, __builtins__=__builtins__, __package__=package or None, __spec__=None)
    sys.modules["__main__"] = module
    load.remember(filename, text)
    exec(compile(text, filename, "exec", dont_inherit=True), module.__dict__)


def _program(message: Message, program: Message) -> None:
    """A program that was recorded, with the arguments that it had."""
    script, arguments = program["script"], program["arguments"]
    sys.argv[:] = [script, *arguments]
    if not program["module"]:
        texts = message["documents"]
        text = message["text"] if script == message["filename"] else texts.get(script)
        if text is None:
            with open(script, encoding="utf-8") as file:
                text = file.read()
        main(script, text, message["root"], {**texts, message["filename"]: message["text"]})
        return
    import runpy

    sys.dont_write_bytecode = True
    sys.path.insert(0, os.getcwd())
    texts = dict(message["documents"], **{message["filename"]: message["text"]})
    sys.meta_path.insert(0, load.OpenDocuments(texts))
    runpy.run_module(script, run_name="__main__", alter_sys=True)


def _found(module: ModuleType, name: str) -> Any:
    thing: Any = module
    for part in name.split("."):
        thing = getattr(thing, part, None)
    if not callable(thing):
        raise CannotHold(f"{name} is not defined after running the module")
    return thing


def _function(module: ModuleType, name: str) -> None:
    result = _found(module, name)()
    if inspect.iscoroutine(result):
        import asyncio

        asyncio.run(result)


def _unittest(module: ModuleType, name: str) -> None:
    import unittest

    kind, _, method = name.rpartition(".")
    unittest.TestSuite([_found(module, kind)(method)]).run(unittest.TestResult())


class _Asserting(load.TextLoader):
    """Loads tests as pytest does, which writes their `assert` statements out: what they check is traced in that form."""

    def compile(self, text: str, filename: str) -> CodeType:
        """The code of a text; a pytest that keeps its rewriting elsewhere gets the text as it is."""
        tree = ast.parse(text, filename)
        with suppress(ImportError, AttributeError, TypeError):
            rewriting: Any = importlib.import_module("_pytest.assertion.rewrite")
            rewriting.rewrite_asserts(tree, text.encode(), filename)
        code: CodeType = compile(tree, filename, "exec", dont_inherit=True)
        return code


class _Documents:
    """For pytest: the modules of this run come from the texts of the job, not from the disk."""

    def __init__(self, message: Message) -> None:
        self._message = message

    def pytest_collection(self, session: Any) -> None:
        """Right before the first test module is imported, in front of pytest's own importer."""
        sys.meta_path.insert(0, load.OpenDocuments(self._message["documents"]))
        tests = {self._message["filename"]: self._message["text"]}
        sys.meta_path.insert(0, load.OpenDocuments(tests, _Asserting))


def _pytest(message: Message, names: list[str]) -> None:
    try:
        pytest: Any = importlib.import_module("pytest")
    except ImportError:
        raise CannotHold("pytest is not installed in this interpreter") from None
    sys.dont_write_bytecode = True
    filename = message["filename"]
    ids = [filename + "::" + name.replace(".", "::") for name in names]
    options = [
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:terminalreporter",
        "-o",
        "addopts=",
        "-o",
        "xfail_strict=false",
    ]
    code = pytest.main([*options, *ids], plugins=[_Documents(message)])
    if int(code) not in (0, 1):
        raise CannotHold(f"pytest could not run {', '.join(names)} (exit code {int(code)})")
