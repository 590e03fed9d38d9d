"""# attribute-mutation

## What it does
Finds assignments to module attributes whose previous value is read in the same call: counters, caches, running
statistics in plain attributes. An attribute that is only written, or read only after the write, does not affect the
result and is not reported; neither is a cache of values computed from sizes and constants alone. An in-place write to a
registered buffer is exported correctly and is not reported. A tensor in a plain attribute that is changed in place by constants
(`self.calls += 1`, `self.decay.mul_(0.9)`) is.

## Why export cannot do it
The assignment runs once, while tracing, and is not recorded in the graph. Export succeeds and the first call is
correct, but every later call computes with the state of the first. Nothing else reports this. Non-strict export keeps what
is assigned to a buffer of the exported module itself, not to one of a submodule; and what changes a plain tensor by constants it
runs on the tensor while tracing, so that the program is one step ahead from the first call.

## Example
```python
def forward(self, x):
    self.calls += 1
    return x * self.calls
```

## Use instead
```python
def __init__(self):
    super().__init__()
    self.register_buffer("calls", torch.zeros((), dtype=torch.int64))

def forward(self, x):
    self.calls.add_(1)
    return x * self.calls
```

## Fix safety
Unsafe: a buffer instead of a number changes the type that other code sees. The buffer is not persistent, so the state
dict does not change. A tensor that is returned or stored elsewhere is copied, and where torch would compute in single
precision what Python computes in double, the number is read as a double. Functions of `math` become torch functions,
which return infinity or NaN where `math` raises. A tuple of tensors becomes a buffer for each of them, and the
attribute is gone. A buffer that becomes an input gets a copy of it, which no later write to the input changes. A number
that is an index or the bound of a slice, is returned by a method, or is passed on has no fix; neither have a counter on
the class, an attribute that is None before the first call, and a later value that may have another shape or dtype than
the first.

## Verdicts by version
They are measured, per version of torch and mode, on the cases of this rule: `exportdb-lsp rule EDB401` prints them.

## References
- ExportDB: `model_attr_mutation`
- torch.export programming model, "Side effects"
"""

from __future__ import annotations

import ast
from functools import lru_cache
from typing import TYPE_CHECKING, Final, cast

from exportdb_rules.bodies import may_name
from exportdb_rules.catalog.mutation.caches import (
    begins_as_no_buffer,
    begun_anew,
    given_at,
    goes_back,
    kept_by_first_call,
    left_as_begun,
    made_once,
    method_of,
    set_up_once,
    takes_its_form,
)
from exportdb_rules.catalog.mutation.options import begun_anew_by_default
from exportdb_rules.catalog.mutation.reads import read_elsewhere
from exportdb_rules.catalog.mutation.taken_back import taken_back
from exportdb_rules.facts import AttributeWritten, TensorWritten
from exportdb_rules.interpreter.dimensions import number_of
from exportdb_rules.lattice import is_none, tensors
from exportdb_rules.operator_table import dtype_name
from exportdb_rules.project import dotted, own_statements
from exportdb_rules.rule import Context, Rule, Violation
from exportdb_rules.values import ATTRIBUTE, BUFFER, INPUT, NONE, PARAMETER, Class, Evidence, Instance, Site, Tensor
from exportdb_rules.wording import quote

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    from exportdb_rules.facts import Fact
    from exportdb_rules.finding import Fix
    from exportdb_rules.project import FunctionInfo, Project
    from exportdb_rules.rewrite.context import FixContext
    from exportdb_rules.values import Value


class AttributeMutation(Rule):
    """A plain attribute carries state between calls."""

    code = "EDB401"
    name = "attribute-mutation"
    family = "mutation"
    summary = "A plain attribute carries state between calls"
    facts = (AttributeWritten, TensorWritten)
    cases = (
        "attribute_assign",
        "attribute_counter",
        "attribute_cache",
        "plain_tensor_augmented",
        "plain_tensor_counted",
        "buffer_reassigned",
        "buffer_reassigned_inside",
        "buffer_filled_once",
        "buffer_set_to_none",
        "buffer_resized",
        "buffer_resized_read",
        "buffer_written_inside",
        "buffer_is_input",
        "buffer_is_input_read",
        "setattr_self",
        "class_attribute",
    )

    def check(self, fact: Fact, context: Context) -> Iterable[Violation]:
        if isinstance(fact, TensorWritten):
            written = _written(fact.site)
            if fact.known and fact.value.origin == ATTRIBUTE and fact.form in _ACCUMULATING and _is_used(written):
                yield Violation(
                    written,
                    "plain_tensor_counted",
                    f"{quote(fact.site)} changes a plain tensor by constants: non-strict export runs it while tracing, so that the "
                    "exported program is one step ahead. Register a buffer",
                    evidence=Evidence.DERIVED if context.optional else fact.value.evidence,
                    fixable=True,
                )
            return
        assert isinstance(fact, AttributeWritten)
        owner = fact.owner
        if type(owner) is Class and fact.augmented and _is_read(fact):
            yield Violation(
                fact.site,
                "class_attribute",
                f"{quote(fact.site)} carries state between calls in a class attribute; the exported program never updates it. Register a buffer",
            )
            return
        if type(owner) is not Instance:
            return
        carried = [*_carried(fact, owner, context)]
        case = _lost(fact, owner, context)
        if case is None or (carried and case == "buffer_written_inside"):
            yield from carried
            return
        yield Violation(
            fact.site,
            f"{case}_read" if carried and case in ("buffer_resized", "buffer_is_input") else case,
            _LOST[case].format(quote(fact.site)),
            evidence=Evidence.DERIVED if fact.optional or context.optional else Evidence.OBSERVED,
            outermost=case in _OF_ROOT,
            fixable=case == "buffer_is_input",
        )

    def fixes(self, context: FixContext) -> tuple[Fix, ...]:
        from exportdb_rules.rewrite.buffers.copied import copy_into_buffer
        from exportdb_rules.rewrite.buffers.state import attribute_to_buffer, setattr_to_assignment
        from exportdb_rules.rewrite.buffers.state_parts import tuple_to_buffers

        if context.finding.case == "buffer_is_input":
            return copy_into_buffer(context)
        return setattr_to_assignment(context) or attribute_to_buffer(context) or tuple_to_buffers(context)


def _carried(fact: AttributeWritten, owner: Instance, context: Context) -> Iterable[Violation]:
    """What the next call finds in an attribute, as far as export does not keep it."""
    if not (fact.read_before or fact.augmented or (not fact.begun and kept_by_first_call(fact.site, fact.value))):
        return
    if not fact.augmented and set_up_once(fact.site, fact.value):
        return
    if left_as_begun(fact.site) or takes_its_form(fact.site) or taken_back(fact.site):
        return
    if fact.augmented and not fact.read_before:
        if fact.begun or begun_anew(fact.site):
            return
    elif goes_back(fact.site):
        return
    if fact.augmented and isinstance(fact.site.node, ast.Attribute) and not _is_read(fact):
        return  # a count that nobody asks for changes nothing
    held = tensors(owner.attributes.get(fact.name, NONE))
    if any(tensor.origin in (BUFFER, PARAMETER) for tensor in held) or _is_registered(
        fact.name, owner, context.project
    ):
        if fact.augmented:
            return  # `self.buffer += x` writes in place, and export keeps that
        case = "buffer_reassigned" if context.root is owner else "buffer_reassigned_inside"
        if kept_by_first_call(fact.site, fact.value):
            case = "attribute_assign"  # later calls of eager leave what is kept as it is
    elif fact.augmented and held:
        case = "plain_tensor_augmented"
    elif fact.augmented:
        case = "attribute_counter"
    else:
        case = "setattr_self" if isinstance(fact.site.node, ast.Call) else "attribute_assign"
    # What a later call finds there matters only where both calls come this way.
    always = not (fact.optional or context.optional or _may_be_itself(fact.value) or _may_be_kept(fact))
    if made_once(fact.site) and not kept_by_first_call(fact.site, fact.value):
        always = False  # what it holds need not come from an input
    evidence = Evidence.OBSERVED if always else Evidence.DERIVED
    method = method_of(fact.site)
    if method is not None and begun_anew_by_default(fact.site, method, fact.name, context.project):
        evidence = Evidence.ASSUMED
    yield Violation(
        fact.site,
        case,
        f"{quote(fact.site)} carries state between calls in a plain attribute; the exported program never updates it. Register a buffer",
        evidence=evidence,
        fixable=True,
    )


# What becomes of a registered buffer that is assigned to, where export does not keep it, by the measured case.
_LOST: Final = {
    "buffer_set_to_none": "{} sets a registered buffer to None, but non-strict export keeps a tensor for each buffer",
    "buffer_filled_once": "{} fills a buffer that begins as None: non-strict export gives it the place of an input. Register the "
    "buffer with its contents, or export after a call that fills it",
    "buffer_resized": "{} gives a registered buffer another shape or dtype: non-strict export copies the value into the buffer as "
    "it was registered. Register it with the shape and dtype that it gets",
    "buffer_is_input": "{} makes an input, or another buffer, itself the buffer, which non-strict export fails on. Copy it, as with "
    "`.clone()`",
    "buffer_written_inside": "{} assigns to a buffer of a submodule, which non-strict export does not update. Write into the "
    "buffer, as with `.copy_(…)`",
}
# They hold of the module that is exported alone.
_OF_ROOT: Final = ("buffer_set_to_none", "buffer_filled_once", "buffer_is_input")


def _lost(fact: AttributeWritten, owner: Instance, context: Context) -> str | None:
    """The case of a registered buffer that is assigned to; None where export keeps it, or another case is about it."""
    held, value, root = owner.attributes.get(fact.name, NONE), fact.value, context.root is owner
    registered = type(held) is Tensor and held.origin == BUFFER
    empty = not registered and begins_as_no_buffer(owner, fact.name, context.project)
    if fact.augmented or not (empty or registered):
        return None
    if is_none(value):
        return "buffer_set_to_none" if root else None
    if type(value) is not Tensor:
        return None
    if empty:
        return "buffer_filled_once" if root else None
    assert isinstance(held, Tensor)
    if _is_of_another_form(held, value):
        return "buffer_resized"
    whole = value.origin == BUFFER or (value.origin == INPUT and _is_of_parameter(value.shape))
    if root and whole and _is_given_as_it_is(fact.site):
        return "buffer_is_input"
    return None if root or fact.read_before or _may_be_itself(value) else "buffer_written_inside"


def _is_of_parameter(shape: Hashable) -> bool:
    """Whether a shape is that of a parameter as it came in (`interpreter.parameters`)."""
    return isinstance(shape, tuple) and cast("tuple[object, ...]", shape)[:1] == ("arg",)


def _is_given_as_it_is(site: Site) -> bool:
    """Whether the last that a method assigns to an attribute is something that it has not made, under a name that stands for that
    alone: `self.last = x`."""
    method = method_of(site)
    written = [] if method is None else [s for s in own_statements(method) if isinstance(s, ast.Assign)]
    written.sort(key=lambda statement: statement.lineno)
    place = site.node if isinstance(site.node, ast.Attribute) else None
    last = (
        None if place is None else next((s for s in reversed(written) if dotted(s.targets[0]) == dotted(place)), None)
    )
    if last is None or last.targets != [place]:
        return False
    made = {dotted(target) for s in written if s.lineno < last.lineno for target in s.targets}

    def bare(node: ast.expr) -> bool:
        if isinstance(node, ast.IfExp):
            return bare(node.body)
        if isinstance(node, ast.Subscript):
            return isinstance(node.slice, ast.Constant) and bare(node.value)
        name = dotted(node)
        return bool(name) and name not in made and name.removeprefix("self.").isidentifier()

    return bare(last.value)


def _is_of_another_form(held: Tensor, value: Tensor) -> bool:
    """Whether two tensors certainly have different shapes or dtypes."""
    dtypes = {dtype_name(held.dtype), dtype_name(value.dtype)}
    if len(dtypes) > 1 and None not in dtypes:
        return True
    if held.dims is None or value.dims is None or value.unbacked:
        return False
    sizes = [(number_of(a), number_of(b)) for a, b in zip(held.dims, value.dims, strict=False)]
    return len(held.dims) != len(value.dims) or any(None not in pair and pair[0] != pair[1] for pair in sizes)


# In-place methods that change a tensor further each time, also by the same numbers.
_ACCUMULATING: Final = frozenset(
    "augmented add_ sub_ subtract_ mul_ multiply_ div_ divide_ true_divide_ floor_divide_ remainder_ fmod_ pow_ neg_ negative_ "
    "addcmul_ addcdiv_ lerp_ exp_ log_ sqrt_ rsqrt_ square_ reciprocal_ sin_ cos_ tanh_ sigmoid_ logical_not_ bitwise_not_".split()
)


def _written(site: Site) -> Site:
    """The tensor of an in-place method, or of an operator."""
    node = site.node
    receiver = node.func.value if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else node
    return Site(site.module, receiver)


def _is_used(written: Site) -> bool:
    """Whether a tensor that is written is used in any other way, as far as its name tells."""
    node = written.node
    if not isinstance(node, ast.Attribute):
        return True
    return any(
        isinstance(other, ast.Attribute)
        and other.attr == node.attr
        and other is not node
        and isinstance(other.ctx, ast.Load)
        for statement in written.module.body
        for other in ast.walk(statement)
    )


def _may_be_itself(value: Value) -> bool:
    """Whether a value shares the storage of a buffer: what a conversion of that gives where there is nothing to convert."""
    return any(tensor.alias and tensor.origin == BUFFER for tensor in tensors(value))


def _may_be_kept(fact: AttributeWritten) -> bool:
    """Whether a function that is given the old value may return it, or make the same anew: `self.pe = self.extend(x, self.pe)`."""
    given = given_at(fact.site)
    old = isinstance(given, ast.Call) and any(dotted(one) == f"self.{fact.name}" for one in given.args)
    return old and all(tensor.sized for tensor in tensors(fact.value))


def _is_registered(name: str, owner: Instance, project: Project) -> bool:
    """Whether an attribute that no constructor makes may be a buffer: a method registers some by names that it computes."""
    if name in owner.attributes or owner.cls is None:
        return False
    classes = [cls for cls in owner.cls.mro(project) if not isinstance(cls, str)]
    return any(_registers_by_computed_name(method) for cls in classes for method in cls.methods.values())


@lru_cache(maxsize=4096)
def _registers_by_computed_name(method: FunctionInfo) -> bool:
    if isinstance(method.node, ast.Lambda) or not may_name(method.node.body, "register_buffer"):
        return False
    return any(
        isinstance(node, ast.Call)
        and dotted(node.func) == "self.register_buffer"
        and node.args
        and isinstance(node.args[0], (ast.Name, ast.Attribute))
        for node in ast.walk(method.node)
    )


def _is_read(fact: AttributeWritten) -> bool:
    """Whether the attribute is read anywhere: in the file of the write, or in that of the class of its owner."""
    owner = fact.owner
    cls = owner.info if type(owner) is Class else owner.cls if type(owner) is Instance else None
    files = {fact.site.module, cls.module.file} if cls is not None else {fact.site.module}
    return any(read_elsewhere(module, fact.name, in_use=True) for module in files)
