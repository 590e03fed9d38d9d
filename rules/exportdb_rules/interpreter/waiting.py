"""The calls of a run that were not made yet, by what they may write. See `exportdb_rules.interpreter.postponed`."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from exportdb_rules.values import AGE

if TYPE_CHECKING:
    import ast
    from collections.abc import Callable

    from exportdb_rules.values import Instance, Value


# When something happens as the program has it: a number, which grows, for the call that was postponed, then one within it.
Time = tuple[int, ...]


@dataclass(eq=False, slots=True)
class Postponed:
    """A call that was not made yet; it is told whether its result is still to be assigned. `own` are the attributes of `receiver` that it may write, `others` those of whatever
    object that was there, `since` is when it would have been made; `gives_module` says that its result may be a module."""

    make: Callable[[bool], None]
    receiver: Value | None
    own: frozenset[str]
    others: frozenset[str]
    since: Time = ()
    gives_module: bool = True


@dataclass(slots=True)
class Waiting:
    """The calls of a run that are postponed, in the order of the program, by the attributes that they may write."""

    by_name: dict[str, list[Postponed]] = field(default_factory=dict[str, "list[Postponed]"])
    # What is assigned to one attribute of one object: all since the last time that nothing but the last counted.
    by_target: dict[tuple[int, str], list[Postponed]] = field(default_factory=dict[tuple[int, str], "list[Postponed]"])

    # The calls that were made, from when to when, the last one first, and since when they were postponed.
    made: list[tuple[int, int, Time]] = field(default_factory=list[tuple[int, int, "Time"]])
    # Since when the call that is being made was postponed.
    inside: Time = ()

    def add(self, call: Postponed, target: tuple[Instance, str] | None, *, joined: bool = False) -> None:
        """Keep a call in mind; its result is put on `target`, beside what is there already or in place of it."""
        call.since = self._now()
        names = call.own | call.others
        for name in names if target is None else names | {target[1]}:
            self.by_name.setdefault(name, []).append(call)
        if target is not None:
            key = (id(target[0]), target[1])
            if joined:
                self.by_target.setdefault(key, []).append(call)
            else:
                self.by_target[key] = [call]

    def settle(self, owner: Instance, name: str) -> None:
        """Make the calls that may have written an attribute which is about to be read or written."""
        # One that is made may postpone others.
        while found := self._found(owner, name):
            for call in found:
                self._make(call)

    def assigned(self, owner: Instance, name: str) -> bool:
        """Whether an attribute will be assigned, and no call that waits may write it but by that."""
        return (id(owner), name) in self.by_target and self._found(owner, name) == self.by_target[id(owner), name]

    def gives_module(self, owner: Instance, name: str) -> bool:
        """Whether an attribute will be assigned what may be a module, also by a constructor of a base."""
        if any(call.gives_module for call in self.by_target.get((id(owner), name), ())):
            return True
        calls = () if name in owner.attributes else self.by_name.get(name, ())
        return any(call.receiver is owner and name in call.own for call in calls)

    def _found(self, owner: Instance, name: str) -> list[Postponed]:
        waiting = self.by_name.get(name)
        if waiting is None:
            return []
        assigned = self.by_target.get((id(owner), name), ())
        now = self._now()
        return [
            call
            for call in waiting
            if (call in assigned and call.since < now)
            or (name in call.others and self.born(owner) < call.since < now)
            or (name in call.own and call.receiver is owner and call.since < now)
        ]

    def _make(self, call: Postponed) -> None:
        targets = [target for target, others in self.by_target.items() if call in others]
        for target in targets:
            self.by_target[target].remove(call)
            if not self.by_target[target]:
                del self.by_target[target]
        for name in call.own | call.others | {name for _, name in targets}:
            calls = self.by_name.get(name, [])
            if call in calls:
                calls.remove(call)
                if not calls:
                    del self.by_name[name]
        start = next(AGE)
        self.made.insert(0, (start, sys.maxsize, call.since))
        outer, self.inside = self.inside, call.since
        try:
            call.make(bool(targets))
        finally:
            self.inside = outer
            self.made[self.made.index((start, sys.maxsize, call.since))] = (start, next(AGE), call.since)

    def _now(self) -> Time:
        return (*self.inside, next(AGE))

    def born(self, owner: Instance) -> Time:
        """When an object would have been made if no call had been postponed."""
        inside = next((since for start, end, since in self.made if start < owner.born < end), ())
        return (*inside, owner.born)


@dataclass(slots=True)
class Idle:
    """A call whose result is not used, or only assigned to an attribute of an object; `taken` once it is postponed."""

    node: ast.AST
    owner: Instance | None = None
    target: ast.Attribute | None = None
    taken: bool = False
