"""Modules and parameters in a Python list or dict, as what a container of `torch.nn` holds, which registers them.

Measured on torch 2.13: strict export finds no parameter that is not registered, and stops with a `KeyError`; an
`nn.ModuleList`, `ModuleDict`, `ParameterList` or `ParameterDict` in the place of the Python container exports in both modes.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules import lattice
from exportdb_rules import values as domain
from exportdb_rules.finding import Applicability, Edit
from exportdb_rules.interpreter.attributes import lookup_module_method
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.buffers.state import in_class
from exportdb_rules.rewrite.buffers.state_uses import Path, attribute_paths, functions_around, of_self, stored
from exportdb_rules.rewrite.known.modules import definitions
from exportdb_rules.rewrite.known.names import names, parameters
from exportdb_rules.rewrite.offer import make_fix
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import Swaps, below, dotted, replace_all, statements

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.finding import Fix
    from exportdb_rules.rewrite.context import FixContext
    from exportdb_rules.rewrite.fix_site import FixSite
    from exportdb_rules.values import Value

TITLE: Final = "Register what `self.{name}` holds in an nn.{kind}"

# What each container has of the methods of a list or dict, and does alike; those of the second set give back nothing in a
# list, and the container itself in torch.
_METHODS: Final = {
    "ModuleList": (frozenset[str](), frozenset(("append", "extend", "insert"))),
    "ModuleDict": (frozenset(("items", "keys", "values", "pop", "update", "clear")), frozenset[str]()),
    "ParameterList": (frozenset[str](), frozenset(("append", "extend"))),
    "ParameterDict": (frozenset(("items", "keys", "values", "pop", "update", "clear", "get")), frozenset[str]()),
}
# Builtins that take whatever can be iterated over.
_ITERATING: Final = frozenset(("len", "enumerate", "zip", "iter", "list", "tuple", "set", "sorted", "reversed"))
# Expressions that make a list or dict of their own.
_DISPLAYS: Final = (cst.List, cst.Dict, cst.ListComp, cst.DictComp, cst.BinaryOperation)


def container_to_module(context: FixContext) -> tuple[Fix, ...]:
    """The container of `torch.nn` for the Python container that the module or the parameters of the finding are kept in.

    Always `unsafe`: what was not registered appears in `state_dict()` and `parameters()`, and follows `to()` and `eval()`.
    """
    return make_fix(context, _title, Applicability.UNSAFE, _contained, partial(in_class, elements=True))


def _title(place: FixSite) -> str:
    name, held = _container(place)
    return TITLE.format(name=name, kind=_kind(place, held))


def _contained(place: FixSite) -> Iterable[Edit]:
    name, held = _container(place)
    uses: list[Path] = []
    made: list[tuple[cst.Assign | cst.AnnAssign, cst.BaseExpression, str]] = []
    for path, node in attribute_paths(place, name):
        if dotted(node.value) == "self" and not any(n is place.owner for n in path):
            _refuse_relative(place, path)
        elif stored(path) and not isinstance(path[-2], cst.AugAssign):
            made.append(_made(place, path))
        else:
            uses.append(path)
    if not made:
        raise FixNotApplicable(NoFix.DEFINED_ELSEWHERE, "the container is made elsewhere")
    kind = _kind(place, held)
    if not all(_alike(path, kind) for path in uses):
        raise FixNotApplicable(NoFix.CONTAINER_USE, "not every use of it does the same on a module")
    nn = next(
        (n for n, full in definitions(place.tree.module).torch.items() if full == "torch.nn"), f"{place.torch}.nn"
    )
    for statement, value, given in made:
        swaps: Swaps = [(value, cst.parse_expression(f"{nn}.{kind}({given})"))]
        if isinstance(statement, cst.AnnAssign):
            swaps.append((statement.annotation.annotation, cst.parse_expression(f"{nn}.{kind}")))
        yield place.tree.edit(statement, place.tree.code(replace_all(statement, swaps)))


def _made(place: FixSite, path: Path) -> tuple[cst.Assign | cst.AnnAssign, cst.BaseExpression, str]:
    """The assignment of the container that a path leads to, its value, and what the container of `torch.nn` is given."""
    functions = functions_around(path)
    constructor = functions[0] if len(functions) == 1 else None
    if constructor is None or constructor.name.value != "__init__" or not of_self(place, path):
        raise FixNotApplicable(NoFix.STATE_USED_ELSEWHERE, "the container is replaced outside the constructor")
    if not any(statement in path for statement in _after_base(constructor)):
        raise FixNotApplicable(NoFix.STATE_INITIAL_VALUE, "it is set before the constructor of nn.Module has run")
    statement = path[-2] if isinstance(path[-2], cst.AnnAssign) else path[-3]
    value = statement.value if isinstance(statement, (cst.Assign, cst.AnnAssign)) else None
    if value is None or not isinstance(statement, (cst.Assign, cst.AnnAssign)):
        raise FixNotApplicable(NoFix.STATE_INITIAL_VALUE, "the attribute is not simply set in the constructor")
    if isinstance(statement, cst.Assign) and len(statement.targets) != 1:
        raise FixNotApplicable(NoFix.STATE_INITIAL_VALUE, "the container has a second name")
    return statement, value, _given(place, constructor, value)


def _container(place: FixSite) -> tuple[str, Value]:
    """The attribute of self whose list or dict holds what the finding is about, and that list or dict."""
    node = place.node
    module = node.func if isinstance(node, cst.Call) else None
    wanted = {one.key() for one in lattice.choices(_value(place, module) or domain.TOP) if _is_module(one)}
    if module is not None and place.owner is not None:
        for reading in below(place.owner, cst.Attribute):
            held = _value(place, reading)
            inside = [] if held is None else [one for part in lattice.contained(held) for one in lattice.choices(part)]
            if dotted(reading.value) == "self" and any(one.key() in wanted for one in inside):
                assert held is not None
                return reading.attr.value, held
        raise FixNotApplicable(NoFix.NOT_IN_A_CONTAINER, "the module is held by an object, or a variable of the file")
    held = _value(place, node)
    if not isinstance(node, cst.Attribute) or dotted(node.value) != "self" or held is None:
        raise FixNotApplicable(NoFix.DEFINED_ELSEWHERE, "the container is no attribute of self")
    return node.attr.value, held


def _value(place: FixSite, node: cst.CSTNode | None) -> Value | None:
    span = None if node is None else place.tree.span(node)
    return None if span is None else place.inference.context.values.get(span)


def _is_module(value: Value) -> bool:
    return type(value) is domain.Instance and value.external.startswith("torch.nn.")


def _kind(place: FixSite, held: Value) -> str:
    """The container of `torch.nn` for a list or dict.

    Raises:
        FixNotApplicable: it holds something else, too, or under a key that no module takes.
    """
    inside = [one for part in lattice.contained(held) for one in lattice.choices(part)]
    if all(_is_module(one) for one in inside):
        holds = "Module"
    elif all(type(one) is domain.Tensor and one.origin == domain.PARAMETER for one in inside):
        holds = "Parameter"
    else:
        raise FixNotApplicable(NoFix.ELEMENTS_DIFFER, "it does not hold modules alone, or parameters alone")
    if type(held) is lattice.Mapping:
        if not all(_takes(name) for name in held.items):
            raise FixNotApplicable(NoFix.MODULE_KEYS, "a key is no name for a submodule")
        if held.element is not None:
            _refuse_keys(place)
        return f"{holds}Dict"
    if type(held) is lattice.Sequence and held.type in ("list", "tuple"):
        return f"{holds}List"
    raise FixNotApplicable(NoFix.TYPE_UNKNOWN, "neither a list nor a dict")


def _refuse_keys(place: FixSite) -> None:
    """Raises FixNotApplicable where a dict of the class may get a key that is no name for a submodule."""
    assert place.owner is not None
    keys: list[cst.CSTNode] = [comprehension.key for comprehension in below(place.owner, cst.DictComp)]
    for target in below(place.owner, cst.AssignTarget):
        if isinstance(target.target, cst.Subscript) and isinstance(target.target.slice[0].slice, cst.Index):
            keys.append(target.target.slice[0].slice.value)
    for key in keys:
        for one in lattice.choices(_value(place, key) or domain.TOP):
            known = type(one) is domain.Const and _takes(one.value)
            if not known and not (type(one) is domain.Static and one.type == "str"):
                raise FixNotApplicable(NoFix.MODULE_KEYS, "a key is not known to be a string")


def _takes(name: object) -> bool:
    """Whether a submodule may have that name in a container."""
    plain = isinstance(name, str) and name and "." not in name and not name.startswith("_")
    return bool(plain) and not lookup_module_method(str(name)) and name not in ("training", "copy", "get", "popitem")


def _after_base(made: cst.FunctionDef) -> list[cst.BaseStatement]:
    """The statements of a constructor that follow the call of the base's."""
    body = statements(made.body)
    for index, statement in enumerate(body):
        if any(dotted(call.func).endswith(".__init__") or _of_super(call) for call in below(statement, cst.Call)):
            return list(body[index + 1 :])
    return []


def _of_super(call: cst.Call) -> bool:
    function = call.func
    called = function.value if isinstance(function, cst.Attribute) and function.attr.value == "__init__" else None
    return isinstance(called, cst.Call) and dotted(called.func) == "super"


def _refuse_relative(place: FixSite, path: Path) -> None:
    """Raises FixNotApplicable where `self.name` of another class may be the attribute of this one."""
    around = next((n for n in path if isinstance(n, cst.ClassDef)), None)
    assert place.owner is not None
    own = [dotted(base.value) for base in place.owner.bases]
    theirs = [dotted(base.value) for base in around.bases] if around is not None else []
    if around is not None and (place.owner.name.value in theirs or around.name.value in own):
        raise FixNotApplicable(NoFix.CLASS_HIERARCHY, "a base or a subclass uses the attribute")


def _given(place: FixSite, made: cst.FunctionDef, value: cst.BaseExpression) -> str:
    """What the container of `torch.nn` is given for what was assigned."""
    code = place.tree.code(value)
    if isinstance(value, (cst.List, cst.Dict)) and not value.elements:
        return ""
    if isinstance(value, cst.Tuple):
        return f"[{place.tree.code(value.with_changes(lpar=(), rpar=()))}]"
    if isinstance(value, _DISPLAYS):
        if isinstance(value, cst.List) and _hidden(made, value):
            raise FixNotApplicable(NoFix.NEEDS_AUTHOR, "a list around one module may keep it from being registered")
        return code
    if isinstance(value, cst.Call) and dotted(value.func) in ("list", "tuple", "dict"):
        single = len(value.args) == 1 and not value.args[0].star and value.args[0].keyword is None
        return "" if not value.args else place.tree.code(value.args[0].value) if single else code
    if isinstance(value, cst.Name):
        mentioned = [n for n in below(made.body, cst.Name) if n.value == value.value]
        if mentioned[-1] is value and value.value in {p.name.value for p in parameters(made)} | names(made.body).writes:
            return code
    raise FixNotApplicable(NoFix.CONTAINER_USE, "the container has another name, too")


def _hidden(made: cst.FunctionDef, value: cst.List) -> bool:
    """Whether a list holds nothing but one object that the constructor was given."""
    only = value.elements[0].value if len(value.elements) == 1 else None
    return isinstance(only, cst.Name) and only.value in {p.name.value for p in parameters(made)}


def _alike(path: Path, kind: str) -> bool:
    """Whether what is done to a container, at the end of the path, does the same to one of `torch.nn`."""
    parent, node = path[-2], path[-1]
    of_list = kind.endswith("List")
    if isinstance(parent, cst.Subscript) and parent.value is node:
        sliced = any(isinstance(part.slice, cst.Slice) for part in parent.slice)
        return not sliced or (not stored(path[:-1]) and _alike(path[:-1], kind))
    if isinstance(parent, (cst.For, cst.CompFor)):
        return parent.iter is node
    if isinstance(parent, cst.Arg):
        call = path[-3]
        called = dotted(call.func) if isinstance(call, cst.Call) else ""
        return bool(parent.star) or (called in _ITERATING and (of_list or called != "reversed"))
    if isinstance(parent, cst.StarredElement):
        return True
    if isinstance(parent, cst.Attribute):
        plain, silent = _METHODS[kind]
        called = isinstance(path[-3], cst.Call) and path[-3].func is parent
        name = parent.attr.value
        return called and (name in plain or (name in silent and isinstance(path[-4], cst.Expr)))
    if isinstance(parent, (cst.If, cst.IfExp)):
        return parent.test is node
    if isinstance(parent, cst.UnaryOperation):
        return isinstance(parent.operator, cst.Not)
    if isinstance(parent, cst.ComparisonTarget):
        return isinstance(parent.operator, (cst.In, cst.NotIn))
    if isinstance(parent, cst.AugAssign):
        return of_list and parent.target is node and isinstance(parent.operator, cst.AddAssign)
    return False
