"""Small programs that are made to cost much are checked within a number of steps that grows with their length, or a
note says that they were not followed to their end.

What is counted are calls of Python functions: time depends on the machine.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from exportdb_rules import engine, values
from exportdb_rules.engine import Project, check
from exportdb_rules.interpreter import machine
from exportdb_rules.interpreter.shape_tokens import shape_made, together
from exportdb_rules.interruption import Interrupted
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite import effort
from exportdb_rules.rewrite.branching import where

from . import pathological

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

PROGRAMS = dict(pathological.sources(200))
# What is learnt of torch and of Python once in a process, and what a program costs for each character.
ONCE, EACH = 250_000, 400
# What an entry that is not followed to its end may cost, for each of the steps that it may take.
A_STEP = 60
MAX_CALLS_OF_A_FIX = 1_500_000


class Endless(BaseException):
    """More calls than are allowed."""


def counted(work: Callable[[], object], most: int) -> int:
    """The calls of Python functions that some work takes. Raises Endless beyond the most that are allowed."""
    count = 0

    def see(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal count
        if event == "call":
            count += 1
            if count > most:
                sys.setprofile(None)
                raise Endless

    before = sys.getprofile()
    sys.setprofile(see)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


def checked(text: str, most: int) -> engine.Report:
    project = Project()
    project.set_text("program.py", text)
    found: list[engine.Report] = []
    counted(lambda: found.append(check(project, "program.py")), most)
    return found[0]


@pytest.mark.parametrize("name", PROGRAMS)
def test_steps_grow_with_the_length_of_the_program(name: str) -> None:
    text = PROGRAMS[name]
    compile(text, name, "exec")
    try:
        report = checked(text, ONCE + EACH * len(text))
    except Endless:
        report = checked(text, ONCE + A_STEP * machine.MAX_STEPS_OF_ENTRY)
        assert any("follow" in problem.message for problem in report.problems)
    assert not any(problem.internal for problem in report.problems)


# Checks each program in a process of its own, and says of each how much memory that took, and how many notes there were.
WEIGHING = """
import json, os, sys
sys.path.insert(0, sys.argv[1])
import pathological
from exportdb_rules.engine import Project, check
from exportdb_rules import rule

rule.registry()
for name, text in pathological.sources(200):
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        project = Project()
        project.set_text("program.py", text)
        report = check(project, "program.py")
        os.write(writer, json.dumps([name, len(report.problems)]).encode())
        os._exit(0)
    os.close(writer)
    _, status, used = os.wait4(child, 0)
    said = os.read(reader, 1 << 16)
    os.close(reader)
    print(json.dumps([*json.loads(said), used.ru_maxrss // 1024] if said else [name, 0, -status]), flush=True)
"""
# In MiB, the analyser itself included.
MAX_MEMORY = 300


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere memory is counted in other units")
def test_memory_is_bounded_for_each_program() -> None:
    command = [sys.executable, "-c", WEIGHING, str(Path(__file__).parent)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=900)
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert [name for name, _, _ in found] == list(PROGRAMS)
    assert [row for row in found if row[2] < 0] == []
    assert [row for row in found if row[2] > MAX_MEMORY and not row[1]] == []


def test_what_tells_one_of_several_values_holds_no_text_of_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """Text of text grows twofold with every level, and no step is counted meanwhile."""
    key, longest = values.Union.key, 0

    def told(self: values.Union, *levels: int) -> object:
        nonlocal longest
        waiting, seen = [found := key(self, *levels)], set[int]()
        while waiting:
            part = waiting.pop()
            if isinstance(part, str):
                longest = max(longest, len(part))
            elif isinstance(part, (tuple, frozenset)) and id(part) not in seen:
                seen.add(id(part))
                waiting += part
        return found

    monkeypatch.setattr(values.Union, "key", told)
    checked(PROGRAMS["objects-98"], ONCE * 10)
    assert 0 < longest < 200


def test_a_value_that_holds_itself_twice_in_each_branch() -> None:
    lines = "        if y:\n            v = (v, v)\n        else:\n            v = [v, x]\n" * 12
    text = f"{pathological.HEAD}        v = x\n{lines}        return v.numpy()\n"
    checked(text, ONCE)


def test_a_function_is_given_up_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """What it says before it is given up, and what those say that call it, is said all the same."""
    monkeypatch.setattr(machine, "MAX_STEPS", 60)
    monkeypatch.setattr(machine, "STEPS_A_LINE", 1)
    large = "def large(a):\n    if a.sum() > 0:\n        a = a + 1\n" + "    a = a * 2\n" * 90 + "    return a\n\n\n"
    body = "        z = large(x)\n        if y.sum() > 0:\n            z = y + 1\n        return z\n"
    text = (pathological.HEAD + body).replace("class Net", large + "class Net")
    project = Project()
    project.set_text("program.py", text)
    report = check(project, "program.py")
    lines = text.splitlines()
    rows = {lines.index(line) + 1 for line in ("    if a.sum() > 0:", "        if y.sum() > 0:")}
    assert rows <= {finding.span.start.row for finding in report.findings}
    assert [problem.message for problem in report.problems] == [
        "Net.forward: the function at line 5 is too large to analyze completely"
    ]


def test_a_check_ends_in_the_middle_of_an_entry_when_nobody_waits_for_it() -> None:
    body = "        x = x + 1\n" * 9000 + "        return x\n"
    project = Project()
    project.set_text("program.py", pathological.HEAD + body)
    asked = 0

    def between() -> None:
        nonlocal asked
        asked += 1
        if asked == 3:
            raise Interrupted

    with pytest.raises(Interrupted):
        check(project, "program.py", between=between)
    again = check(project, "program.py")
    fresh = Project()
    fresh.set_text("program.py", pathological.HEAD + body)
    assert again == check(fresh, "program.py")


def chain_of_branches() -> str:
    """An `elif` for each of many conditions."""
    return "".join(f"        {'el' if n else ''}if x.sum() > {n}:\n            x = x + {n}\n" for n in range(50))


def loops_in_loops() -> str:
    """A `while` in a `while`, ten levels deep."""
    return "".join(f"{'    ' * (n + 2)}while x.sum() > {n}:\n" for n in range(10)) + "    " * 12 + "x = x + 1\n"


def branches_in_branches() -> str:
    """An `if` in an `if`, thirty levels deep."""
    return "".join(f"{'    ' * (n + 2)}if x.sum() > {n}:\n" for n in range(30)) + "    " * 32 + "x = x + 1\n"


def long_condition() -> str:
    """A condition of a hundred parts."""
    return f"        if {' and '.join(f'x.sum() > {n}' for n in range(100))}:\n            x = x + 1\n"


@pytest.mark.parametrize("body", [chain_of_branches, loops_in_loops, branches_in_branches, long_condition])
def test_a_fix_takes_a_bounded_number_of_steps(body: Callable[[], str]) -> None:
    """The first one is that of the outermost construct, which takes in all others."""
    project = Project()
    project.set_text("program.py", f"{pathological.HEAD}{body()}        return x\n")
    finding = check(project, "program.py").findings[0]
    assert finding.fixable
    counted(lambda: engine.fixes(project, finding), MAX_CALLS_OF_A_FIX)


def branches_in_a_row() -> str:
    """Fifty branches, one behind the other."""
    return "".join(f"        if x.sum() > {n}:\n            x = x + {n}\n" for n in range(50))


BODIES = (chain_of_branches, loops_in_loops, branches_in_branches, long_condition, branches_in_a_row)
# What all fixes of a text may cost, and for each character.
ALL_FIXES, ALL_FIXES_EACH = 1_000_000, 3_500


@pytest.mark.parametrize("body", BODIES)
def test_all_fixes_of_a_text_take_a_bounded_number_of_steps(body: Callable[[], str]) -> None:
    """Each finding of these has a fix, or a reason: all of them together are too large, or a loop inside has to be rewritten
    first (torch.while_loop takes no Python loop on data in its body), which then has a fix."""
    project = Project()
    text = f"{pathological.HEAD}{body()}        return x\n"
    project.set_text("program.py", text)
    findings = check(project, "program.py").findings
    budget = engine.Budget(text, len(findings))
    offers: list[engine.FixOffer] = []
    counted(
        lambda: offers.extend(engine.offer(project, finding, budget=budget) for finding in findings),
        ALL_FIXES + ALL_FIXES_EACH * len(text),
    )
    nested = body is loops_in_loops
    reasons = (NoFix.TOO_LARGE, NoFix.UNTRACEABLE) if nested else (NoFix.TOO_LARGE,)
    assert all(bool(offer.fixes) != (offer.no_fix in reasons) for offer in offers)
    assert sum(bool(offer.fixes) for offer in offers) >= (1 if nested else len(findings) // 2)


def test_each_fix_of_a_text_has_its_share_of_the_steps() -> None:
    """The first ones may not take all of them, and what is not needed is there for the others."""
    budget = effort.Budget("", 100)
    given = [budget.share() for _ in range(3)]
    for steps in given:
        budget.took(steps)
    assert given[0] == effort.MAX_STEPS
    rest = [budget.share() for _ in range(97)]
    assert min(rest) >= effort.MAX_STEPS_OF_TEXT // 200


def test_findings_of_one_branch_share_its_rewriting(monkeypatch: pytest.MonkeyPatch) -> None:
    """A condition of a hundred parts has a finding for each of them, and one rewriting."""
    made: list[object] = []
    original = where._statement
    monkeypatch.setattr(where, "_statement", lambda *a, **options: made.append(a) or original(*a, **options))
    project = Project()
    project.set_text("program.py", f"{pathological.HEAD}{long_condition()}        return x\n")
    findings = check(project, "program.py").findings
    offered = [engine.fixes(project, finding) for finding in findings]
    assert len(findings) == 100
    assert all(offered)
    assert len(made) == 1


def test_a_fix_that_is_too_large_is_not_remembered_as_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was given up for one finding is not what is concluded of the code for another."""
    monkeypatch.setattr(effort, "MAX_STEPS", 8_000)
    small = "        if y.sum() > 0:\n            y = y + 1\n"
    texts = (f"{pathological.HEAD}{chain_of_branches()}{small}        return x, y\n",) * 2
    offered: list[list[int]] = []
    for text, order in zip(texts, (1, -1), strict=True):
        project = Project()
        project.set_text("program.py", text)
        findings = check(project, "program.py").findings
        chosen = [findings[0], findings[-1]]
        offered.append([len(engine.fixes(project, finding)) for finding in chosen[::order]][::order])
    assert offered[0] == offered[1]
    assert offered[0][0] == 0 < offered[0][1]


def test_a_shape_that_is_made_of_itself_twice_again_and_again_is_not_followed() -> None:
    """A shape is hashed and compared part by part, which no step counts either."""
    tensor, shapes = values.Tensor(shape=("arg", "x")), list[object]()
    for _ in range(100):
        tensor = values.Tensor(shape=shape_made("matmul", [tensor, tensor], {}))
        shapes.append(tensor.shape)
    assert shapes[2] is not None
    assert shapes[-1] is None
    assert together([("arg", "x"), shapes[2], None]) is None
