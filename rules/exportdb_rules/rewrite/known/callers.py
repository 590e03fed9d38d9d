"""What the calls of a function give to its parameters: the sizes of example inputs reach helpers and inner modules so."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from exportdb_rules.rewrite.effort import once
from exportdb_rules.rewrite.known.modules import holders
from exportdb_rules.rewrite.known.names import parameters
from exportdb_rules.rewrite.known.signature import TensorSignature, fully_sized
from exportdb_rules.rewrite.parts import parts
from exportdb_rules.rewrite.tree import below, calls, calls_within, dotted, enclosing, statements

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from exportdb_rules.finding import Span
    from exportdb_rules.rewrite.known.inference import Inference
    from exportdb_rules.rewrite.known.signature import Signature
    from exportdb_rules.values import Value

_MAX_CALLS = 6


def passed_by_callers(inference: Inference) -> dict[str, TensorSignature]:
    """The tensors that every call of the function in its text gives to a parameter alike, by the parameter's name: those
    whose sizes are known in numbers.

    Found out once for all fixes of a text: the callers' code is walked for it, and that of theirs.
    """
    known, depth = _known(inference.function), inference.within_callers
    values, passed = known.get(depth, (None, None))
    if passed is None or values is not inference.context.values:
        passed = _passed(inference)
        known[depth] = (inference.context.values, passed)
    return passed


@once
def _known(function: cst.CSTNode) -> dict[int, tuple[Mapping[Span, Value], dict[str, TensorSignature]]]:
    """What is known of a function so far: by how many callers were followed to it, and for which values."""
    return {}


def _passed(inference: Inference) -> dict[str, TensorSignature]:
    function = inference.function
    found: dict[str, TensorSignature] | None = None
    given = parameters(function)
    if inference.owner is not None:
        given = given[1:]
    for path in _calls(inference):
        call = path[-1]
        caller = inference.caller(path)
        if caller is None or not isinstance(call, cst.Call) or any(arg.star for arg in call.args):
            continue
        line = enclosing(path, cst.BaseStatement)
        passed = caller.arguments(given, call, caller.before(path[: line + 1]))
        if found is None:
            found = {name: tensor for name, known in passed.items() if (tensor := fully_sized(known)) is not None}
        else:
            found = {name: known for name, known in found.items() if _alike(known, passed.get(name))}
        if not found:
            break  # whatever the other calls give
    return found or {}


def _alike(known: TensorSignature, other: Signature | None) -> bool:
    return isinstance(other, TensorSignature) and (other.dtype, other.shape) == (known.dtype, known.shape)


def _calls(inference: Inference) -> Iterator[Sequence[cst.CSTNode]]:
    """The paths to the calls of the function, each in a function of the text."""
    name, owner = inference.function.name.value, inference.owner
    if name == "forward" and owner is not None and not parts(inference.tree.module).calls(owner.name.value):
        return  # nobody holds such a module
    count = 0
    for top in _tops(inference, name, owner):
        inside = [top] if isinstance(top, cst.FunctionDef) else _methods(top)
        called = _called(inference, name, owner, top)
        here = [call for one in called for call in calls_within(top).get(one, ())]
        spans = {span: call for call in here if (span := inference.tree.span(call)) is not None}
        for span in sorted(spans):
            path = inference.tree.path(span)
            function = next((n for n in path if n in inside), None)
            if function is None or function is inference.function or path[-1] is not spans[span]:
                continue
            count += 1
            yield path
            if count >= _MAX_CALLS:
                return


def _tops(inference: Inference, name: str, owner: cst.ClassDef | None) -> Iterator[cst.ClassDef | cst.FunctionDef]:
    """The classes and functions of the module that may call the function, in the order of the text."""
    module = inference.tree.module
    if owner is None:
        calling = dict.fromkeys(top for top, _ in calls(module, name))
        yield from (top for top in calling if isinstance(top, (cst.ClassDef, cst.FunctionDef)))
    elif name != "forward":
        yield from [owner] if parts(module).holds(owner) else []
    else:
        yield from holders(module, owner.name.value)


def _methods(owner: cst.ClassDef) -> list[cst.FunctionDef]:
    return [s for s in statements(owner.body) if isinstance(s, cst.FunctionDef) and s.name.value != "__init__"]


def _called(
    inference: Inference, name: str, owner: cst.ClassDef | None, top: cst.ClassDef | cst.FunctionDef
) -> set[str]:
    """What a call of the function is written as within a class or function of the module."""
    if owner is None:
        return {name}
    if top is owner and name != "forward":
        return {f"self.{name}"}
    if name != "forward" or not isinstance(top, cst.ClassDef) or top is owner:
        return set()
    outer = inference.modules_of(top)
    found: set[str] = set()
    for attribute, call in outer.calls.items():
        held = outer.held(attribute)
        if call is not None and dotted(call.func) == owner.name.value:
            found.add(f"self.{attribute}")
        elif held is not None and dotted(held.func) == owner.name.value:
            found |= {f"self.{attribute}", *_bound(top, f"self.{attribute}")}
    return found


def _bound(owner: cst.ClassDef, attribute: str) -> set[str]:
    """The names that loops over a list of modules give to them: `for layer in self.layers`."""
    found: set[str] = set()
    for loop in below(owner, cst.For):
        heads = [(loop.target, loop.iter)]
        while heads:
            target, value = heads.pop()
            if isinstance(target, cst.Name) and dotted(value) == attribute:
                found.add(target.value)
            elif isinstance(target, cst.Tuple) and isinstance(value, cst.Call):
                args = [a.value for a in value.args]
                inner = [e.value for e in target.elements]
                if dotted(value.func) == "enumerate":
                    heads += [(inner[1], args[0])] if len(inner) == 2 and args else []
                elif dotted(value.func) == "zip":
                    heads += list(zip(inner, args, strict=False))
    return found
