"""The proof of a fix: the fixed program is clean, exports in both modes, and nothing that it computes has changed.

A program is a text with a class `Net`, whose constructor takes nothing, and `inputs`: the argument tuples of calls
that are made one after the other on one model, and that together take every branch. What it exports itself, if it
does, is called `exported`.
"""

from __future__ import annotations

import copy
import linecache
import sys
import types
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import count
from typing import Any

import torch
from exportdb_lsp.checking import fix_loop
from exportdb_lsp.worker.eager_operators import EagerHigherOrderOps
from exportdb_rules import engine
from exportdb_rules.finding import Finding, Fix, Mode
from exportdb_rules.project import Project
from exportdb_rules.rewrite import refusal
from old_names import OldNames
from torch.utils import _pytree as pytree

BOTH = engine.Settings(modes=(Mode.NON_STRICT, Mode.STRICT))
FILENAME = "/program.py"
_numbers = count(1)


@dataclass(frozen=True)
class Repair:
    """A text after all rounds of fixing. `found` is whether anything was found before, `left` are the findings that are left,
    `codes` those whose fixes were applied, `refused` what was in the way of the rewrites that refused."""

    text: str
    found: bool
    titles: list[str]
    left: list[Finding]
    codes: frozenset[str]
    refused: frozenset[str]


def offers(text: str, settings: engine.Settings = BOTH) -> list[tuple[Finding, tuple[Fix, ...]]]:
    """Every finding of a text with its fixes, through the engine."""
    project = Project()
    project.set_text(FILENAME, text)
    report = engine.check(project, FILENAME, settings)
    assert not report.problems, report.problems
    return [(finding, engine.fixes(project, finding, settings)) for finding in report.findings]


def repair(text: str, *, safe_only: bool = False, wanted: str = "", settings: engine.Settings = BOTH) -> Repair:
    """Fix a text in rounds, as the command line does. Of several fixes the one whose title has `wanted` is taken."""
    project = Project()
    counts: list[int] = []

    def find(current: str) -> tuple[Finding, ...]:
        project.set_text(FILENAME, current)
        report = engine.check(project, FILENAME, settings)
        assert not report.problems, report.problems
        counts.append(len(report.findings))
        return report.findings

    def mend(finding: Finding) -> tuple[Fix, ...]:
        fixes = engine.offer(project, finding, settings, alone=False).fixes
        chosen = next((fix for fix in fixes if wanted in fix.title), None) if wanted else None
        return fixes if chosen is None else tuple(replace(fix, preferred=fix is chosen) for fix in fixes)

    with refusal.recorded() as refused:
        done = fix_loop.rewrite_text(text, find, mend, unsafe=not safe_only)
    assert not done.gave_up, done.gave_up
    compile(done.text, FILENAME, "exec")
    codes = frozenset(applied.code for applied in done.applied)
    titles = [applied.title for applied in done.applied]
    return Repair(
        done.text, counts[0] > 0, titles, list(done.findings), codes, frozenset([one.detail for one in refused])
    )


def repair_found(text: str, *, wanted: str = "") -> Repair:
    """`repair` of a text in which something is found: that nothing is done to it says something then."""
    done = repair(text, wanted=wanted)
    assert done.found, "nothing is found"
    return done


def repair_refused(text: str, reason: str, *, wanted: str = "", settings: engine.Settings = BOTH) -> Repair:
    """`repair` of a text for which a rewrite is asked, and refuses for this reason; '' where none is asked."""
    done = repair(text, wanted=wanted, settings=settings)
    assert reason in done.refused if reason else not done.refused, sorted(done.refused)
    return done


@lru_cache(maxsize=8)
def load(text: str) -> dict[str, Any]:
    """The namespace of a program, as a module of its own: Dynamo looks it and its source up by name.

    It is loaded once: the objects that it makes are of the classes that its model knows.
    """
    name = f"fixed_program_{next(_numbers)}"
    filename = f"<{name}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    module = types.ModuleType(name)
    sys.modules[name] = module
    torch.manual_seed(0)  # each text of a program draws the same inputs
    exec(compile(text, filename, "exec"), module.__dict__)
    return module.__dict__


def model(text: str) -> torch.nn.Module:
    """The program's model, in eval mode, with the parameters that every text of it gets."""
    namespace = load(text)
    if namespace.get("keeps_state"):
        # The file itself remembers its calls: a model of its own has a file of its own.
        namespace = load.__wrapped__(text)
    torch.manual_seed(0)
    return namespace["Net"]().eval()


@dataclass(frozen=True)
class Outcome:
    """What one call gave: its leaves, or the message of what it raised; and its inputs as they were after it."""

    leaves: list[Any]
    raised: str | None
    after: list[Any]


def play(run: Any, inputs: list[tuple[Any, ...]]) -> list[Outcome]:
    """Make the calls one after the other."""
    outcomes: list[Outcome] = []
    for args in inputs:
        args = copy.deepcopy(args)
        torch.manual_seed(1)
        try:
            # A program of a non-strict export that raises within `no_grad` leaves gradients off.
            with torch.set_grad_enabled(True):
                leaves, raised = values(run(*args)), None
            leaves = [leaf.detach().clone() if isinstance(leaf, torch.Tensor) else leaf for leaf in leaves]
        except Exception as error:
            leaves, raised = [], str(error)
        outcomes.append(Outcome(leaves, raised, values(args)))
    return outcomes


def backward(run: torch.nn.Module, inputs: list[tuple[Any, ...]]) -> list[str]:
    """What a backward pass through each of the calls raises; '' where it raises nothing, or there is nothing to train."""
    raised: list[str] = []
    for args in inputs:
        torch.manual_seed(1)
        try:
            with torch.set_grad_enabled(True):
                leaves = values(run(*copy.deepcopy(args)))
                total = sum(t.sum() for t in leaves if isinstance(t, torch.Tensor) and t.requires_grad)
                if isinstance(total, torch.Tensor):
                    total.backward()
            raised.append("")
        except Exception as error:
            raised.append(str(error) or type(error).__name__)
    return raised


def values(tree: Any) -> list[Any]:
    """The leaves of a tree, those of objects included that pytree does not know (yet)."""
    found: list[Any] = []
    for leaf in pytree.tree_leaves(tree, is_leaf=lambda value: isinstance(value, set)):
        if isinstance(leaf, set):
            # Tensors are in no order there.
            found += sorted(values(list(leaf)), key=lambda value: float(value.double().sum()))
        elif isinstance(leaf, types.GeneratorType):
            found += values(list(leaf))
        elif hasattr(leaf, "__dict__") and not isinstance(leaf, torch.Tensor):
            found += values(list(vars(leaf).values()))
        else:
            found.append(leaf)
    return found


def difference(before: list[Outcome], after: list[Outcome]) -> str:
    """How two plays differ, in words; '' if they do not. That something is raised counts, not of which class."""
    for number, (one, two) in enumerate(zip(before, after, strict=True)):
        if (one.raised is None) != (two.raised is None):
            return f"call {number}: raised {one.raised!r} and {two.raised!r}"
        for what, left, right in (("output", one.leaves, two.leaves), ("input", one.after, two.after)):
            if one.raised is not None:
                continue
            if len(left) != len(right):
                return f"call {number}: {len(left)} and {len(right)} {what}s"
            for index, (a, b) in enumerate(zip(left, right, strict=True)):
                if not _same(a, b):
                    return f"call {number}: {what} {index} is {a} and {b}"
    return ""


def _same(a: Any, b: Any) -> bool:
    if isinstance(a, torch.Tensor) and isinstance(b, torch.Tensor):
        return a.dtype == b.dtype and a.shape == b.shape and torch.allclose(a, b, equal_nan=True, rtol=1e-5, atol=1e-6)
    return type(a) is type(b) and a == b


def exported(text: str, inputs: list[tuple[Any, ...]], strict: bool) -> Any:
    """The exported program as a callable, traced with the first inputs."""
    torch._dynamo.reset()
    dynamic_shapes = load(text).get("dynamic_shapes")
    args = copy.deepcopy(inputs[0])
    return torch.export.export(model(text), args, strict=strict, dynamic_shapes=dynamic_shapes).module()


def prove(before: str, after: str, *, messages: bool = False) -> None:
    """Eager before = eager after = exported in both modes, on all inputs of the program; and what trained still does."""
    with OldNames():
        inputs = load(before)["inputs"]
        with EagerHigherOrderOps():
            # What torch refuses as it is written still means something.
            truth = play(model(before), inputs)
        trained = backward(model(before), inputs)
    inputs = load(after)["inputs"]
    now = play(model(after), inputs)
    assert difference(truth, now) == "", "eager has changed"
    kept = zip(trained, backward(model(after), inputs), strict=True)
    assert not [new for old, new in kept if new and not old], "the backward pass raises now"
    if messages:
        assert [o.raised for o in truth] == [o.raised for o in now], "the message has changed"
    for strict in (False, True):
        traced = play(exported(after, inputs, strict), inputs)
        assert difference(truth, traced) == "", f"export with strict={strict} computes something else"
    own = load(after).get("exported")
    if own is not None:
        run = own.module() if isinstance(own, torch.export.ExportedProgram) else own
        assert difference(truth, play(run, inputs)) == "", "what the program exports itself computes something else"


def fails(text: str) -> bool:
    """Whether the program, as it is, does not export faithfully in one of the modes."""
    try:
        inputs = load(text)["inputs"]
        runs = (exported(text, inputs, strict) for strict in (False, True))
        return any(difference(play(model(text), inputs), play(run, inputs)) for run in runs)
    except Exception:
        return True
