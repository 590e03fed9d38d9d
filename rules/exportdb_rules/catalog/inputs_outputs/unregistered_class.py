"""# unregistered-class

## What it does
Finds objects of the project's own classes, including dataclasses, that are inputs or outputs of the exported function
and are not registered with pytree, and sets, generators and arrays of NumPy that are returned. Named tuples are
registered; classes that derive from `dict`, `list` or `tuple` are not, because pytree looks the very type up. A class
that is only used internally is not reported, nor is the result of a module that other modules call. Of an output whose class
registers itself, such as the outputs of transformers, what it holds is looked at: a language model returns a
`DynamicCache` unless `use_cache=False`.

## Why export cannot do it
Pytree flattens inputs and outputs into tensors. It supports Python's containers and registered types only. Where strict
export returns an array of NumPy, the exported program returns a tensor; non-strict export has no array to return.

## Example
```python
@dataclass
class Output:
    logits: torch.Tensor

class Net(torch.nn.Module):
    def forward(self, x):
        return Output(x.softmax(-1))
```

## Use instead
```python
@dataclass
class Output:
    logits: torch.Tensor

torch.export.register_dataclass(Output, serialized_type_name="net.Output")

class Net(torch.nn.Module):
    def forward(self, x):
        return Output(x.softmax(-1))
```

## Fix safety
Unsafe: pytree flattens a registered class everywhere, in eager too. Offered if the class is defined in the same file
and is a dataclass, sets all its attributes in its constructor, or is a dict without a constructor of its own; not if an input object is mutated, since the caller of
the exported program would not see the mutation. Returning a list instead of a set or a
generator is unsafe as well: the type of the result changes.

## Verdicts by version
They are measured, per version of torch and mode, on the cases of this rule: `exportdb-lsp rule EDB701` prints them.

## References
- torch docs, `torch.export.register_dataclass`, `torch.utils._pytree.register_pytree_node`
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from exportdb_rules.definitions import decorators, dotted
from exportdb_rules.facts import Entered, Returned
from exportdb_rules.interpreter.numpy_provenance import is_kept
from exportdb_rules.lattice import Mapping, Sequence, choices
from exportdb_rules.no_fix import NoFix
from exportdb_rules.project import own_nodes
from exportdb_rules.pytree import CONTAINERS, registers, registers_subclasses, unregistered
from exportdb_rules.rule import Context, Rule, Violation
from exportdb_rules.values import NUMPY, NUMPY_ELEMENT, Evidence, Instance, Site, Static, Tensor, Value

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from exportdb_rules.facts import Fact
    from exportdb_rules.finding import Fix
    from exportdb_rules.project import ClassInfo, Module, Project
    from exportdb_rules.rewrite.context import FixContext


class UnregisteredClass(Rule):
    """Input or output type is not registered with pytree."""

    code = "EDB701"
    name = "unregistered-class"
    family = "inputs_outputs"
    summary = "Input or output type is not registered with pytree"
    facts = (Entered, Returned)
    cases = (
        "class_input",
        "class_input_without_keys",
        "class_output",
        "dataclass_input",
        "dataclass_output",
        "cache_output",
        "set_output",
        "generator_output",
        "numpy_output",
        "numpy_sizes_output",
        "dict_subclass_input",
        "dict_subclass_output",
    )

    no_fix_of = dict.fromkeys(("numpy_output", "numpy_sizes_output"), NoFix.ARRAY_ESCAPES)

    def check(self, fact: Fact, context: Context) -> Iterable[Violation]:
        if isinstance(fact, Entered):
            for name, value in fact.parameters:
                yield from self._of_input(name, value, fact, context)
            return
        assert isinstance(fact, Returned)
        for value, certain in _outputs(fact.value, fact, context.project):
            if isinstance(value, (Tensor, Static)):
                yield _of_array(value, fact, certain=certain)
                return
            found = self._of_result(value, fact, context)
            if found is not None:
                case, what, evidence, names = found
                site = Site(fact.site.module, _return_of(fact.site.node, names))
                yield Violation(
                    site,
                    case,
                    f"The output contains {what}",
                    evidence=evidence if certain else min(evidence, Evidence.DERIVED),
                    fixable=True,
                )
                return

    def fixes(self, context: FixContext) -> tuple[Fix, ...]:
        from exportdb_rules.rewrite.interface.registration import (
            class_to_registered,
            container_to_list,
        )

        if context.finding.case in ("set_output", "generator_output"):
            return container_to_list(context)
        return class_to_registered(context)

    def _of_input(self, name: str, value: Value, fact: Entered, context: Context) -> Iterator[Violation]:
        for leaf, certain in _leaves(value):
            cls = leaf.cls if type(leaf) is Instance and certain else None
            if cls is None:
                continue  # `Tensor | QuantTensor`: who exports gives a tensor
            module = fact.site.module
            site = Site(module, _parameter(fact.site.node, name))
            what = f"`{name}` {'is' if leaf is value else 'has'} a `{cls.node.name}`, which is"
            part = not fact.given and _gives(fact.site.node, cls.node.name)
            evidence = Evidence.ASSUMED if part else _evidence(cls, module)
            if unregistered(context.project, cls, module):
                message = f"{what} not registered with pytree: register the class, or pass its tensors"
                yield Violation(site, f"{_kind(cls, context)}_input", message, evidence=evidence, fixable=True)
                return
            if _without_keys(cls, module):
                message = (
                    f"{what} registered with pytree without `flatten_with_keys_fn`, by which export names its inputs"
                )
                yield Violation(site, "class_input_without_keys", message, evidence=evidence)
                return

    def _of_result(self, value: Value, fact: Returned, context: Context) -> tuple[str, str, Evidence, str] | None:
        if isinstance(value, Sequence):
            if value.type == "set":
                if registers(fact.site.module.text, "set"):
                    return None
                return (
                    "set_output",
                    "a set, which is not registered with pytree: return a list or a tuple",
                    Evidence.OBSERVED,
                    "",
                )
            return (
                "generator_output",
                "a generator, which pytree cannot flatten: return a list or a tuple",
                Evidence.OBSERVED,
                "",
            )
        if (
            isinstance(value, Instance)
            and value.cls is not None
            and unregistered(context.project, value.cls, fact.site.module)
        ):
            cls = value.cls
            what = (
                f"a `{cls.node.name}`, which is not registered with pytree: register the class, or return its tensors"
            )
            evidence = _evidence(cls, fact.site.module)
            if not fact.given and _takes(fact.site.node, cls.node.name):
                evidence = Evidence.ASSUMED
            return f"{_kind(cls, context)}_output", what, evidence, cls.node.name
        return None


def _of_array(value: Tensor | Static, fact: Returned, *, certain: bool) -> Violation:
    """NumPy made it, of a tensor or of none; EDB204 is about what makes it of a tensor, which non-strict export refuses there."""
    of_tensor = isinstance(value, Tensor)
    return Violation(
        Site(fact.site.module, _return_of(fact.site.node, "")),
        "numpy_output" if of_tensor else "numpy_sizes_output",
        "The output contains an array or a number of NumPy: strict export returns a tensor instead, non-strict export fails",
        evidence=max(Evidence.DERIVED, value.evidence) if of_tensor and certain else Evidence.DERIVED,
        strict_alone=of_tensor,
    )


def _leaves(value: Value, depth: int = 0) -> Iterator[tuple[Value, bool]]:
    """The objects, sets, generators and arrays of NumPy in a result, and whether they are there for certain."""
    options = choices(value)
    for choice in options:
        certain = len(options) == 1
        # What NumPy made of no tensor, before tracing and in traced code, is an array as well.
        made = is_kept(choice) or choice is NUMPY or choice is NUMPY_ELEMENT
        if (
            made
            or (type(choice) is Tensor and choice.array)
            or isinstance(choice, Instance)
            or (isinstance(choice, Sequence) and choice.type in ("set", "generator"))
        ):
            yield choice, certain
        elif isinstance(choice, Sequence) and choice.items is not None and depth < 4:
            for item in choice.items:
                for leaf, always in _leaves(item, depth + 1):
                    yield leaf, always and certain
        elif isinstance(choice, Mapping) and depth < 4:
            for item in choice.items.values():
                for leaf, always in _leaves(item, depth + 1):
                    yield leaf, always and certain


def _outputs(value: Value, fact: Returned, project: Project, depth: int = 0) -> Iterator[tuple[Value, bool]]:
    """As `_leaves`; of an object whose class registers all that derive from it, what it holds: for certain, where options decide
    that nobody knows."""
    for leaf, certain in _leaves(value):
        if type(leaf) is Instance and leaf.cls is not None and depth < 4 and registers_subclasses(project, leaf.cls):
            held = [part for name, part in leaf.attributes.items() if not name.startswith("\0")]
            for inner, always in [found for part in held for found in _outputs(part, fact, project, depth + 1)]:
                if always or fact.given:
                    yield inner, always and certain
        else:
            yield leaf, certain


def _without_keys(cls: ClassInfo, entry_module: Module) -> bool:
    """Whether every registration of a class in sight leaves out how to flatten it with keys."""
    found = [
        call
        for module in {cls.module.file, entry_module}
        if module.mentions("register_pytree_node")
        for statement in module.body
        for call in ast.walk(statement)
        if isinstance(call, ast.Call) and dotted(call.func).endswith("register_pytree_node")
        if call.args and dotted(call.args[0]).rpartition(".")[2] == cls.node.name
    ]
    keywords = {keyword.arg for call in found for keyword in call.keywords}
    return bool(found) and keywords.isdisjoint({None, "flatten_with_keys_fn"})


def _is_dataclass(cls: ClassInfo) -> bool:
    return any(name.rpartition(".")[2] == "dataclass" for name in decorators(cls.node))


def _kind(cls: ClassInfo, context: Context) -> str:
    """How the names of the cases about such a class begin."""
    return "dataclass" if _is_dataclass(cls) else "dict_subclass" if _is_container(cls, context) else "class"


def _is_container(cls: ClassInfo, context: Context) -> bool:
    return any(base in CONTAINERS for base in cls.external_bases(context.project))


def _evidence(cls: ClassInfo, module: Module) -> Evidence:
    """Another file may register a class that comes from another file."""
    return Evidence.OBSERVED if cls.module.file is module else Evidence.DERIVED


# What takes objects of a class and gives such is a part of a model that takes tensors: nobody exports it alone.


def _takes(function: ast.AST, name: str) -> bool:
    """Whether an annotation of a parameter names a class."""
    return any(_names(n.annotation, name) for n in ast.walk(function) if isinstance(n, ast.arg))


def _gives(function: ast.AST, name: str) -> bool:
    """Whether a function returns what it makes of a class, or promises one."""
    made = [n.value for n in own_nodes(function) if isinstance(n, ast.Return) and isinstance(n.value, ast.Call)]
    promised = function.returns if isinstance(function, ast.FunctionDef) else None
    return _names(promised, name) or any(_names(call.func, name) for call in made)


def _names(node: ast.AST | None, name: str) -> bool:
    """Whether a class is named in code, or in a text that stands for it."""
    return node is not None and re.search(rf"\b{re.escape(name)}\b", ast.unparse(node)) is not None


def _parameter(function: ast.AST, name: str) -> ast.AST:
    for node in ast.walk(function):
        if isinstance(node, ast.arg) and node.arg == name:
            return node
    return function


def _return_of(function: ast.AST, name: str) -> ast.AST:
    """The returned expression that makes the object, else the last one."""
    returned = [node.value for node in own_nodes(function) if isinstance(node, ast.Return) and node.value is not None]
    returned.sort(key=lambda node: (node.lineno, node.col_offset))
    for value in returned:
        if name and any(isinstance(n, ast.Name) and n.id == name for n in ast.walk(value)):
            return value
    return returned[-1] if returned else function
