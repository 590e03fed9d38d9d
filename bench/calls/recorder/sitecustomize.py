"""Writes down every export call of a program that is run plainly, and knows nothing of exportdb-lsp.

With its folder on PYTHONPATH, Python imports it before the program. As soon as torch.export or torch.onnx is imported,
their public functions are wrapped: what was called, from where, whether it returned or raised, and whether the program
that it returned computes what eager computes on the example inputs. One JSON object a call goes to the file that
EXPORT_CALLS names. What a call does inside itself (torch.onnx.export calls torch.export.export) is part of that call.
"""

from __future__ import annotations

import contextlib
import copy
import functools
import importlib.machinery
import inspect
import io
import itertools
import json
import os
import sys
import threading

LOG = os.environ.get("EXPORT_CALLS")
WRAPPED = {
    "torch.export": ("export", "draft_export", "export_for_training", "export_for_inference"),
    "torch.onnx": ("export",),
}
inside = threading.local()
numbers = itertools.count()


def equal(one, other):
    """Whether two results hold the same values."""
    import torch
    from torch.utils import _pytree as pytree

    (ones, _), (others, _) = pytree.tree_flatten(one), pytree.tree_flatten(other)
    if len(ones) != len(others):
        return False
    for a, b in zip(ones, others, strict=True):
        if isinstance(a, torch.Tensor) and isinstance(b, torch.Tensor):
            try:
                torch.testing.assert_close(a, b, equal_nan=True, rtol=1e-3, atol=1e-4)
            except AssertionError:
                return False
        elif isinstance(a, torch.Tensor) != isinstance(b, torch.Tensor) or (type(a) is type(b) and a != b):
            return False
    return True


def called(function, copies):
    """What a function returns for a copy of the arguments, or its exception; prints nothing, draws the same numbers."""
    import torch

    args, kwargs = copy.deepcopy(copies)
    state = torch.get_rng_state()
    try:
        torch.manual_seed(0)
        with contextlib.redirect_stdout(io.StringIO()):
            return function(*args, **kwargs)
    except Exception as error:
        return error
    finally:
        torch.set_rng_state(state)


def compared(kept, exported):
    """`eager_raises` and `faithful`: None where a model or its arguments cannot be copied or compared."""
    import torch

    if kept is None:
        return {"eager_raises": None, "faithful": None}
    model, arguments = kept
    expected = called(model, arguments)
    row = {"eager_raises": isinstance(expected, Exception), "faithful": None}
    if isinstance(exported, torch.export.ExportedProgram) and not row["eager_raises"]:
        try:
            got = called(exported.module(), arguments)
            row["faithful"] = not isinstance(got, Exception) and equal(expected, got)
        except Exception:
            row["faithful"] = False
    return row


def place():
    """The file and line that made the call: the innermost frame that is neither torch's nor ours."""
    frame = sys._getframe(2)
    while frame is not None:
        name = frame.f_code.co_filename
        if f"{os.sep}torch{os.sep}" not in name and name != __file__ and not name.startswith("<frozen"):
            return name, frame.f_lineno
        frame = frame.f_back
    return None, None


def recorded(function, api):
    """The function, writing down its outermost calls."""
    signature = inspect.signature(function)

    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        if getattr(inside, "call", False):
            return function(*args, **kwargs)
        try:
            bound = signature.bind(*args, **kwargs).arguments
        except TypeError:
            bound = {}
        # The exporter that TorchScript's graphs go through, and an ExportedProgram that becomes ONNX, are no export.
        import torch

        model = bound.get("mod", bound.get("model"))
        if api == "torch.onnx.export" and (
            bound.get("dynamo") is False or isinstance(model, torch.export.ExportedProgram)
        ):
            return function(*args, **kwargs)
        filename, line = place()
        row = {
            "number": next(numbers),
            "api": api,
            "model": type(model).__name__,
            "filename": filename,
            "row": line,
            "strict": bool(bound.get("strict", False)),
        }
        try:
            kept = copy.deepcopy((model, (bound.get("args") or (), bound.get("kwargs") or {})))
        except Exception:
            kept = None
        inside.call = True
        try:
            result = function(*args, **kwargs)
        except BaseException as error:
            row |= {"outcome": "raised", "exception": type(error).__name__, "message": str(error)[:300]}
            row |= compared(kept, None)
            raise
        else:
            row |= {"outcome": "returned", **compared(kept, result)}
            return result
        finally:
            inside.call = False
            with open(LOG, "a", encoding="utf-8") as file:
                file.write(json.dumps(row) + "\n")

    return wrapper


class Loader:
    """Executes a module of torch, then wraps its functions."""

    def __init__(self, loader):
        self.loader = loader

    def create_module(self, spec):
        return self.loader.create_module(spec)

    def exec_module(self, module):
        self.loader.exec_module(module)
        for name in WRAPPED[module.__name__]:
            if hasattr(module, name):
                setattr(module, name, recorded(getattr(module, name), f"{module.__name__}.{name}"))

    def __getattr__(self, name):
        return getattr(self.loader, name)


class Finder:
    """Finds the modules of torch that are wrapped."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if name not in WRAPPED:
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        if spec is not None:
            spec.loader = Loader(spec.loader)
        return spec


if LOG:
    sys.meta_path.insert(0, Finder)
