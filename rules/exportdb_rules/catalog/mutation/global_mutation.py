"""# global-mutation

## What it does
Finds assignments to `global` names while tracing, to `nonlocal` names of a function that returned before tracing began,
and inputs stored in a module-level list or dict that the functions of the file read. A module-level table of values
that do not depend on the inputs is not reported, nor is a name that the call leaves as it found it (`depth += 1` and
`depth -= 1`, also in a context manager).

## Why export cannot do it
The assignment runs once, while tracing, and is not recorded in the graph: the exported program neither reads nor writes
the name.

## Example
```python
def forward(self, x):
    global calls
    calls += 1
    return x * calls
```

## Use instead
```python
def forward(self, x, calls):
    return x * calls
```

## Fix safety
There is no fix: pass the value in and return it, or register a buffer.

## Verdicts by version
They are measured, per version of torch and mode, on the cases of this rule: `exportdb-lsp rule EDB404` prints them.

## References
- torch.export programming model, "Side effects"
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from exportdb_rules.catalog.mutation.caches import bound_once
from exportdb_rules.catalog.mutation.taken_back import taken_back
from exportdb_rules.facts import ContainerWritten, GlobalWritten
from exportdb_rules.lattice import choices
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rule import Context, Rule, Violation
from exportdb_rules.values import INPUT, Evidence, Tensor

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.facts import Fact
    from exportdb_rules.values import Value


class GlobalMutation(Rule):
    """A global or closure variable is reassigned while tracing."""

    code = "EDB404"
    name = "global-mutation"
    family = "mutation"
    summary = "A global or closure variable is reassigned while tracing"
    facts = (GlobalWritten, ContainerWritten)
    cases = ("global_counter", "closure_counter", "global_dict")
    no_fix = NoFix.SIDE_EFFECT

    def check(self, fact: Fact, context: Context) -> Iterable[Violation]:
        if isinstance(fact, ContainerWritten):
            if fact.owner.kind == "global" and _is_input(fact.value) and _read(fact):
                yield Violation(
                    fact.site,
                    "global_dict",
                    f"`{fact.owner.name}` is a global that stores inputs across calls; the exported program neither reads nor writes it",
                )
            return
        assert isinstance(fact, GlobalWritten)
        if fact.scope == "global" and bound_once(fact.site, fact.name, fact.value):
            return
        if taken_back(fact.site):
            return
        yield Violation(
            fact.site,
            "closure_counter" if fact.scope == "closure" else "global_counter",
            f"`{fact.name}` carries state between calls outside the module; the exported program neither reads nor writes it",
            evidence=Evidence.DERIVED,
        )


def _is_input(value: Value) -> bool:
    return any(type(c) is Tensor and c.origin == INPUT for c in choices(value))


def _read(fact: ContainerWritten) -> bool:
    """Whether a function of the file uses the container other than to write it."""
    name = fact.owner.name
    for node in ast.walk(ast.Module(list(fact.site.module.body), [])):
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
            used = node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _READERS:
            used = node.func.value
        elif isinstance(node, (ast.For, ast.comprehension)):
            used = node.iter
        else:
            continue
        if isinstance(used, ast.Name) and used.id == name:
            return True
    return False


_READERS = frozenset({"get", "values", "items", "pop", "popitem", "copy"})
