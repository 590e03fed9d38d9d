"""The calls of torch.export that a program makes: who called it, with what, and what came of it."""

# torch publishes partial types only, and the inputs of a model can be anything.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false

from __future__ import annotations

import importlib.abc
import importlib.util
import inspect
import itertools
import sys
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from types import FrameType, ModuleType
from typing import Any

from . import instrument

# What exports a model, by the module that has it. `torch.onnx.export` counts where it goes through torch.export.
WATCHED = {
    "torch.export": ("export", "draft_export", "export_for_training", "export_for_inference"),
    "torch.onnx": ("export",),
}
_MODEL, _MADE = ("mod", "model"), ("f", "args", "kwargs", "dynamic_shapes", "strict")


class WatchedCall:
    """One call, before its first line runs.

    `api` is `torch.export.export` and so on. `options` are the arguments beyond those that every such function takes;
    `frame` is where the call stands.
    """

    def __init__(self, number: int, api: str, function: Callable[..., Any], given: Mapping[str, Any]) -> None:
        self.number = number
        self.api = api
        self.function = function
        """The same function, unwatched."""
        self.model: Any = next(given[name] for name in _MODEL if name in given)
        args = given.get("args", ())
        self.args: tuple[Any, ...] = args if isinstance(args, tuple) else (args,)
        self.args_given = args
        self.kwargs: dict[str, Any] = dict(given.get("kwargs") or {})
        self.dynamic_shapes: Any = given.get("dynamic_shapes")
        self.strict = bool(given.get("strict", False))
        self.options = {name: value for name, value in given.items() if name not in _MODEL and name not in _MADE}
        self.takes_strict = "strict" in given
        self.onnx = api.startswith("torch.onnx")
        self.goal = "onnx" if self.onnx else ""
        """What the call itself exports for."""
        self.frame: FrameType | None = None

    def again(self, *, strict: bool) -> Any:
        """The same call in a mode; nothing is written to a file.

        Raises:
            BaseException: what the export raises.
        """
        options = dict(self.options, dynamic_shapes=self.dynamic_shapes)
        if self.takes_strict:
            options["strict"] = strict
        if self.onnx:
            return self.function(self.model, self.args_given, None, kwargs=self.kwargs, **options)
        return self.function(self.model, self.args_given, self.kwargs, **options)

    def program_of(self, value: Any) -> Any:
        """The ExportedProgram in what the call returned; None where there is none."""
        return getattr(value, "exported_program", None) if self.onnx else value


class Nobody:
    """Takes the outcome of a call that nobody asked about."""

    def returned(self, value: Any) -> Any:
        """The value, unchanged."""
        return value

    def raised(self, error: BaseException) -> None:
        """Says it to nobody."""


_NOBODY = Nobody()


class Watcher:
    """Reports each outermost call of the functions in `WATCHED` to `begin`, whenever their modules are imported.

    `begin` gets the call and gives an observer of its outcome, or None where the outcome is of no interest. `passed` gets
    the frame of a call that exports no model.
    """

    def __init__(
        self,
        begin: Callable[[WatchedCall], instrument.Observer | None],
        passed: Callable[[FrameType | None], None] = lambda frame: None,
    ) -> None:
        self._begin = begin
        self._passed = passed
        self._numbers = itertools.count(1)
        self._inside = threading.local()

    def install(self) -> None:
        """Watch from now on; modules that are not imported yet are met when they are."""
        for name in WATCHED:
            module = sys.modules.get(name)
            if module is not None:
                self.watch(module)
        sys.meta_path.insert(0, _Arrivals(self))

    def watch(self, module: ModuleType) -> None:
        """The functions of one module. What this torch does not have, or has in another form, is not watched."""
        for name in WATCHED[module.__name__]:
            function = module.__dict__.get(name)
            if function is not None:
                with suppress(instrument.NotWatched):
                    self._instrument(f"{module.__name__}.{name}", function)

    def _instrument(self, api: str, function: Any) -> None:
        plain: list[Callable[..., Any]] = []

        def begin(given: dict[str, Any]) -> instrument.Observer:
            if getattr(self._inside, "busy", False):
                return _NOBODY
            if api.startswith("torch.onnx") and not _exports(given):
                with suppress(Exception):
                    self._passed(_caller(function))
                return _NOBODY
            self._inside.busy = True
            observer: instrument.Observer | None = None
            try:
                call = WatchedCall(next(self._numbers), api, plain[0], given)
                call.frame = _caller(function)
                observer = self._begin(call)
            except Exception:  # what goes wrong with watching must not change the program
                observer = None
            except BaseException:
                self._inside.busy = False
                raise
            return _Outermost(observer or _NOBODY, self._inside)

        plain.append(instrument.watch(function, begin))


def _exports(given: Mapping[str, Any]) -> bool:
    """Whether a call of torch.onnx.export exports a model: TorchScript's exporter does not go through torch.export, and
    a program that was exported before is only translated."""
    model = next((given[name] for name in _MODEL if name in given), None)
    exported: Any = getattr(sys.modules.get("torch.export"), "ExportedProgram", ())
    return bool(given.get("dynamo")) and not isinstance(model, exported)


def _caller(function: Any) -> FrameType | None:
    """The frame from which a watched function, which is beginning to run, was called."""
    code, frame = inspect.unwrap(function).__code__, inspect.currentframe()
    while frame is not None and frame.f_code is not code:
        frame = frame.f_back
    return frame.f_back if frame is not None else None


class _Outermost:
    """Ends the time in which calls are torch's own, not the program's."""

    def __init__(self, observer: instrument.Observer, inside: threading.local) -> None:
        self._observer = observer
        self._inside = inside

    def returned(self, value: Any) -> Any:
        """The value of the program."""
        try:
            return self._observer.returned(value)
        except Exception:
            return value
        finally:
            self._inside.busy = False

    def raised(self, error: BaseException) -> None:
        """The error of the program."""
        try:
            with suppress(Exception):
                self._observer.raised(error)
        finally:
            self._inside.busy = False


class _Arrivals(importlib.abc.MetaPathFinder):
    """Meets the modules of `WATCHED` when they are imported, right after they ran."""

    def __init__(self, watcher: Watcher) -> None:
        self._watcher = watcher
        self._looking = False

    def find_spec(self, fullname: str, path: Any, target: ModuleType | None = None) -> Any:
        """The ordinary spec, with a loader that says when it is done."""
        if fullname not in WATCHED or self._looking:
            return None
        self._looking = True
        try:
            spec = importlib.util.find_spec(fullname)
        finally:
            self._looking = False
        if spec is None or spec.loader is None or not hasattr(spec.loader, "exec_module"):
            return None
        loader: Any = spec.loader
        run = loader.exec_module
        watcher = self._watcher

        def exec_module(module: ModuleType) -> None:
            run(module)
            watcher.watch(module)

        loader.exec_module = exec_module
        return spec
