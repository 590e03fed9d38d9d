"""One case, one mode: what torch.export really does with it."""

# pyright: basic
from __future__ import annotations

import contextlib
import hashlib
import io
import os
import re
import warnings
from typing import Any

import torch
from torch.utils import _pytree as pytree

from .difference import difference
from .inputs import Call, asked, clone, other_sizes, same_sizes
from .place import failing_line, first_line, graph_break
from .subject import CaseUnavailable, Subject, load

_CALLS_AT_LEAST = 3


class NotMeasurable(Exception):
    """The case says nothing about export: it does not run in eager."""


def measure(name: str, path: str, strict: bool, original: str | None = None) -> dict[str, Any]:
    """The record of one case in one mode, as it stands in `support/<version>.json`.

    If `original` is the file that this one was rewritten from, the record of non-strict says under `eager` where the two
    compute different things before anything is exported: eager has no modes.
    """
    record = _measure(name, path, strict)
    change = _change(name, original, path) if original and not strict else None
    return record | {"eager": change} if change else record


def _measure(name: str, path: str, strict: bool) -> dict[str, Any]:
    warnings.simplefilter("ignore")
    try:
        subject = load(name, path)
    except CaseUnavailable as error:
        if os.path.basename(os.path.dirname(path)) == "export_api":
            # These cases are about names that come and go: a name that is not there is what they measure.
            return {"verdict": "fails", **_about(error.__cause__ or error, path)}
        return {"verdict": None, "error": str(error)[:300]}
    calls: _Reference | NotMeasurable
    try:
        calls = _eager(subject)
    except NotMeasurable as error:
        # A misuse of `torch.cond` fails in eager too, which compiles it: export is asked all the same.
        calls = error
    torch._dynamo.reset()
    # Dynamo turns the validation of distributions off for the whole process when it is first used; who exports in a
    # fresh process meets it.
    torch.distributions.Distribution.set_default_validate_args(__debug__)
    torch._dynamo.eval_frame.TorchPatcher.patch.cache_clear()
    try:
        args, kwargs = clone((subject.args, subject.kwargs))
        program = torch.export.export(
            subject.fresh_model(), args, kwargs, dynamic_shapes=subject.dynamic_shapes, strict=strict
        )
        program = _after(program, subject, strict)
    except Exception as error:
        return {"verdict": "fails", **_about(error, path)}
    if isinstance(calls, NotMeasurable):
        return {"verdict": None, "error": str(calls)[:300]}
    record: dict[str, Any] = {"verdict": "ok", "graph": _graph_hash(program)}
    if subject.after == "decompose":
        record["operators"] = _operators(program)
    problem = _compare(program, calls) or _compare_sizes(subject, program)
    if problem is not None:
        record.update(problem)
    return record


def _after(program: Any, subject: Subject, strict: bool) -> Any:
    if subject.after == "decompose":
        return program.run_decompositions()
    if subject.after == "save":
        stream = io.BytesIO()
        torch.export.save(program, stream)
        stream.seek(0)
        return torch.export.load(stream)
    if subject.after == "export":
        args, kwargs = clone((subject.args, subject.kwargs))
        module = program.module()
        return torch.export.export(module, args, kwargs, dynamic_shapes=subject.dynamic_shapes, strict=strict)
    if subject.after == "unflatten":
        return _Unflattened(program)
    return program


class _Unflattened:
    """An exported program that is run as `torch.export.unflatten` gives it back."""

    def __init__(self, program: Any):
        self._program = program

    def __getattr__(self, name: str) -> Any:
        return getattr(self._program, name)

    def module(self) -> Any:
        return torch.export.unflatten(self._program)


def _about(error: BaseException, path: str) -> dict[str, Any]:
    kind = type(error)
    about: dict[str, Any] = {
        "exception": f"{kind.__module__}.{kind.__qualname__}".removeprefix("builtins."),
        "message": first_line(error, path),
        "line": failing_line(error, path),
    }
    break_id = graph_break(error)
    if break_id:
        about["graph_break"] = break_id
    return about


def _graph_hash(program: Any) -> str:
    # Names of submodules that export makes up carry the address of a Python object now and then.
    text = re.sub(r"\b\d{12,}\b", "address", program.graph_module.code)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _operators(program: Any) -> list[str]:
    """The operators of a program and of the branches in it, each once; what takes tuples apart is none."""
    graphs = [module.graph for module in program.graph_module.modules() if hasattr(module, "graph")]
    targets = [node.target for graph in graphs for node in graph.nodes if node.op == "call_function"]
    kinds = (torch._ops.OpOverload, torch._ops.HigherOrderOperator)
    return sorted({str(target) for target in targets if isinstance(target, kinds)})


class _Reference:
    """What eager did in a row of calls on one instance."""

    def __init__(self, model: torch.nn.Module):
        self.model = model
        self.calls: list[tuple[int, Call, Any, Call]] = []

    def call(self, seed: int, call: Call) -> bool:
        before, during = clone(call), clone(call)
        # The same noise on both sides for torch's own generator. Python's and numpy's are left alone: that a value of
        # theirs is frozen in the graph is what has to come out.
        torch.manual_seed(seed)
        try:
            result = self.model(*during[0], **during[1])
        except Exception:
            return False
        self.calls.append((seed, before, result, during))
        return True


def _eager(subject: Subject) -> _Reference:
    reference = _Reference(subject.fresh_model())
    for seed, call in enumerate(same_sizes(subject)):
        reference.call(seed, call)
        if seed == 0 and not reference.calls:
            try:
                subject.fresh_model()(*subject.args, **subject.kwargs)
            except Exception as error:
                raise NotMeasurable(
                    f"eager fails: {type(error).__name__}: {first_line(error, subject.path)}"
                ) from error
    if len(reference.calls) < _CALLS_AT_LEAST:
        raise NotMeasurable(f"eager accepts {len(reference.calls)} of the calls, {_CALLS_AT_LEAST} are needed")
    return reference


def _change(name: str, original: str, path: str) -> str | None:
    """Where eager of the file at `path` is not what eager of the `original` is; None where they agree.

    An original that does not run in eager leaves nothing to compare with.
    """
    try:
        before = _eager(load(name, original))
    except (NotMeasurable, CaseUnavailable):
        return None
    try:
        after = _eager(load(name, path))
    except (NotMeasurable, CaseUnavailable) as error:
        return str(error)[:300]
    if (accepted := [call[0] for call in before.calls]) != (now := [call[0] for call in after.calls]):
        return f"of the calls {accepted} were accepted, now {now}"
    for (seed, _, wanted, writes), (_, _, given, written) in zip(before.calls, after.calls):
        text = difference(wanted, given) or difference(writes, written)
        if text:
            return f"call {seed + 1}: {text}"
    return None


def _compare(program: Any, reference: _Reference) -> dict[str, Any] | None:
    def differs(text: str, verdict: str = "diverges") -> dict[str, Any]:
        return {"verdict": verdict, "message": text[:300]}

    module = _runnable(program)
    if not callable(module):
        return differs(f"the exported program cannot be run: {module}")
    for number, (seed, call, result, after) in enumerate(reference.calls, 1):
        args, kwargs = clone(call)
        torch.manual_seed(seed)
        try:
            exported = module(*args, **kwargs)
        except Exception as error:
            text = f"call {number}: the exported program raises {type(error).__name__}: {first_line(error, '')}"
            return differs(text, "specializes" if _shape_of(call) != _shape_of(reference.calls[0][1]) else "diverges")
        text = difference(result, exported)
        if text:
            return differs(f"call {number}: {text}")
        text = difference(after, (args, kwargs))
        if text:
            return differs(f"call {number}: an input is written to, {text}")
    exported_buffers = dict(module.named_buffers())
    for name, buffer in reference.model.named_buffers():
        if name in exported_buffers and difference(buffer, exported_buffers[name]):
            return differs(f"buffer {name} after {len(reference.calls)} calls: other numbers")
    return None


def _shape_of(call: Call) -> list[object]:
    """What export may take for constant in a call: the sizes, and everything that is no tensor."""
    leaves = pytree.tree_leaves(call)
    return [leaf.shape if isinstance(leaf, torch.Tensor) else leaf for leaf in leaves]


def _runnable(program: Any) -> Any:
    try:
        return program.module()
    except Exception as error:
        return f"{type(error).__name__}: {first_line(error, '')}"


def _compare_sizes(subject: Subject, program: Any) -> dict[str, Any] | None:
    frozen = _frozen(subject, program)
    if frozen:
        return {"verdict": "specializes", "message": frozen}
    for attempts in other_sizes(subject):
        for call in attempts:
            reference = _Reference(subject.fresh_model())
            if not reference.call(0, call):
                continue
            problem = _compare_one_size(program, reference)
            if problem:
                return problem
            break
    return None


def _compare_one_size(program: Any, reference: _Reference) -> dict[str, Any] | None:
    seed, call, result, _ = reference.calls[0]
    args, kwargs = clone(call)
    sizes = ", ".join(str(tuple(leaf.shape)) for leaf in pytree.tree_leaves(call) if hasattr(leaf, "shape"))
    torch.manual_seed(seed)
    try:
        exported = program.module()(*args, **kwargs)
    except Exception as error:
        return {"verdict": "specializes", "message": f"sizes {sizes} are refused: {first_line(error, '')}"[:300]}
    text = difference(result, exported)
    return {"verdict": "diverges", "message": f"sizes {sizes}: {text}"} if text else None


def _frozen(subject: Subject, program: Any) -> str | None:
    """The first dimension that was asked to be dynamic and is a number in the exported program."""
    users = [
        spec.arg.name
        for spec in program.graph_signature.input_specs
        if spec.kind.name == "USER_INPUT"
        if hasattr(spec.arg, "name")
    ]
    nodes = {node.name: node for node in program.graph.nodes if node.op == "placeholder"}
    for dimension in asked(subject):
        if dimension.leaf >= len(users):
            continue
        if dimension.size is None:
            return f"input {dimension.leaf} has no dimension {dimension.axis}"
        value = nodes[users[dimension.leaf]].meta.get("val")
        if isinstance(value, torch.Tensor) and not _is_symbolic(value.shape[dimension.axis]):
            return f"dimension {dimension.axis} of input {dimension.leaf} is frozen at {value.shape[dimension.axis]}"
    return None


def _is_symbolic(size: Any) -> bool:
    # A size that a guard pinned down is still a SymInt, whose expression has become a number.
    return isinstance(size, torch.SymInt) and bool(size.node.expr.free_symbols)


def warm_up() -> None:
    """Walk once through what exports do, so that what they import lazily is there before the children are forked."""

    class Chooses(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return torch.cond(x.sum() > 0, lambda x: x.sin(), lambda x: x.cos(), (x,))

    class Branches(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x.sin() if x.sum() > 0 else x.cos()

    class Sizes(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x[x > 0] if x.shape[0] > 2 else x

    example = torch.ones(4, 3)
    named = {"x": {0: torch.export.Dim("warm")}}
    hint = getattr(torch.export.Dim, "AUTO", None)
    warnings.simplefilter("ignore")
    Chooses()(example)
    models: tuple[tuple[torch.nn.Module, Any], ...] = (
        (Chooses(), None),
        (Branches(), None),
        (Sizes(), named),
        (Sizes(), {"x": {0: hint}} if hint else None),
    )
    for strict in (False, True):
        for model, shapes in models:
            # The second and the third are meant to fail: what an error imports is wanted too.
            with contextlib.suppress(Exception):
                torch.export.export(model, (example,), dynamic_shapes=shapes, strict=strict).module()(example)
    torch._dynamo.reset()
