"""`match`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from exportdb_rules.interpreter.environment import Environment, merge
from exportdb_rules.interpreter.machine import Frame, evaluate, execute
from exportdb_rules.interpreter.narrowing import condition, narrow, truth
from exportdb_rules.interpreter.operators import compare
from exportdb_rules.lattice import Mapping, choices, known_elements
from exportdb_rules.values import TOP, Const, Sym, Tensor, Value

if TYPE_CHECKING:
    from collections.abc import Iterator


def match(frame: Frame, node: ast.Match) -> None:
    """Each case may be taken; a pattern that compares a tensor or an unbacked value asks for a truth."""
    subject = evaluate(frame, node.subject)
    before = frame.env
    after: Environment | None = None
    exhausted = False
    frame.depth += 1
    for case in node.cases:
        answer = _pattern(frame, node, case.pattern, subject)
        if answer is False:
            continue
        frame.env, frame.unreachable = before.copy(), False
        _bind(frame, case.pattern, subject)
        if case.guard is not None:
            guarded = condition(frame, case.guard, "match", node)
            if guarded is False:
                continue
            if guarded is None:
                answer = None
            narrow(frame, case.guard, True)
        execute(frame, case.body)
        if not frame.unreachable:
            after = frame.env if after is None else merge(after, frame.env)
        if answer is True:
            exhausted = True
            break
    frame.depth -= 1
    if not exhausted:
        after = before if after is None else merge(after, before)
    frame.unreachable = after is None
    frame.env = before if after is None else after


def _pattern(frame: Frame, node: ast.Match, pattern: ast.pattern, subject: Value) -> bool | None:
    if isinstance(pattern, ast.MatchAs):
        return True if pattern.pattern is None else _pattern(frame, node, pattern.pattern, subject)
    if isinstance(pattern, ast.MatchOr):
        answers = [_pattern(frame, node, p, subject) for p in pattern.patterns]
        return True if True in answers else (None if None in answers else False)
    if isinstance(pattern, ast.MatchSingleton):
        if type(subject) is Const:
            return subject.value is pattern.value
        return False if type(subject) in (Tensor, Sym) else None
    if isinstance(pattern, ast.MatchValue):
        value = evaluate(frame, pattern.value)
        if type(subject) is Const and type(value) is Const:
            return bool(subject.value == value.value)
        for choice in choices(subject):
            if type(choice) is Tensor:
                truth(frame, pattern, choice, "match", node)
            elif type(choice) is Sym:
                truth(frame, pattern, compare(frame, pattern, ast.Eq(), choice, value), "match", node)
        return None
    if isinstance(pattern, ast.MatchSequence):
        return _sequence(frame, node, pattern, subject)
    return None


def _sequence(frame: Frame, node: ast.Match, pattern: ast.MatchSequence, subject: Value) -> bool | None:
    """`case (3, height, 8)`: part after part, up to the first that does not match."""
    parts = known_elements(subject)
    if parts is None or any(isinstance(inner, ast.MatchStar) for inner in pattern.patterns):
        return None
    if len(parts) != len(pattern.patterns):
        return False
    answers: list[bool | None] = []
    for inner, part in zip(pattern.patterns, parts, strict=True):
        answers.append(_pattern(frame, node, inner, part))
        if answers[-1] is False:
            return False
    return None if None in answers else True


def _bind(frame: Frame, pattern: ast.pattern, subject: Value) -> None:
    if isinstance(pattern, ast.MatchAs):
        if pattern.name is not None:
            frame.env[pattern.name] = subject
        if pattern.pattern is not None:
            _bind(frame, pattern.pattern, subject)
        return
    parts = known_elements(subject)
    if isinstance(pattern, ast.MatchSequence) and parts is not None and len(parts) == len(pattern.patterns):
        for inner, value in zip(pattern.patterns, parts, strict=True):
            _bind(frame, inner, value)
        return
    if isinstance(pattern, ast.MatchMapping) and type(subject) is Mapping:
        for key, inner in zip(pattern.keys, pattern.patterns, strict=True):
            known = key.value if isinstance(key, ast.Constant) else None
            _bind(frame, inner, subject.items.get(known, TOP))
        return
    for name in _names(pattern):
        frame.env[name] = TOP


def _names(pattern: ast.pattern) -> Iterator[str]:
    for node in ast.walk(pattern):
        if isinstance(node, (ast.MatchAs, ast.MatchStar)) and node.name is not None:
            yield node.name
        elif isinstance(node, ast.MatchMapping) and node.rest is not None:
            yield node.rest
