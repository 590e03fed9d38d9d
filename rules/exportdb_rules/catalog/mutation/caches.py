"""What a module keeps for the next call although every call could make it anew: nothing is lost when export does.

`if n > self.length: self.length = n; self.table = make(n)` leaves what it would make again. What is exported makes it in
every call, and computes the same (measured: set_up_once_ok, lazy_mask_ok, length_cache_ok, list_cleared_ok, features_dict_ok,
features_looked_up_ok, measured_template_ok, count_set_back_ok, table_grown_ok, shape_cache_ok, anchors_by_shape_ok,
forward_hook_once).
"""

from __future__ import annotations

import ast
from functools import lru_cache
from typing import TYPE_CHECKING, TypeVar, cast

from exportdb_rules.bodies import may_name
from exportdb_rules.catalog.mutation.parameters import has_parameters
from exportdb_rules.catalog.mutation.reads import WRITERS, only_says
from exportdb_rules.definitions import root_name
from exportdb_rules.interpreter.dispatch import FORWARD_HOOKS
from exportdb_rules.interpreter.statements import converts
from exportdb_rules.lattice import Mapping, Sequence, choices
from exportdb_rules.namespaces import holders, local_classes
from exportdb_rules.project import dotted
from exportdb_rules.values import (
    FRESH,
    TOP,
    Const,
    External,
    Function,
    Instance,
    Shape,
    Static,
    Sym,
    Tensor,
    is_unknown,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator

    from exportdb_rules.definitions import FunctionInfo
    from exportdb_rules.project import Project
    from exportdb_rules.values import Site, Value

_Answer = TypeVar("_Answer")


def set_up_once(site: Site, value: Value) -> bool:
    """Whether a write to `self` is part of a block that only sets the module up, with what no input decides."""
    if method_of(site) is None:
        return False
    known = [one for one in choices(value) if not is_unknown(one) and type(one) is not Function]
    given = all(map(_is_given, known)) and (len(known) == len(choices(value)) or once(site, _gives_own))
    if not (given or once(site, _is_filled) or _only_measured(site, value)):
        return False
    return once(site, _only_sets_up)


def once(site: Site, question: Callable[[Site], _Answer]) -> _Answer:
    """What the text around a place tells: it is asked for in each call of the function that the place is in."""
    known = site.module.told
    key = (question, site.node)
    if key not in known:
        known[key] = question(site)
    return cast("_Answer", known[key])


def _only_sets_up(site: Site) -> bool:
    """Whether a write to `self` is part of a block of a method that only sets the module up."""
    method = method_of(site)
    assert method is not None
    helpers = once(site, _helpers)
    around = _block(method, site.node, helpers)
    blocks = _of_helper(site, method) if around is None else [(method, *around)]
    guarded = [node for _, block, _ in blocks for node in _nodes(block)]
    blocks += [(m, m.body, m.lineno) for m in helpers if m is not method and any(_calls(n, m.name) for n in guarded)]
    nodes = [node for _, block, _ in blocks for node in _nodes(block)]
    written = {name for node in nodes for name in _written(node)}
    inside = {id(node) for node in nodes}
    others = _statements(site, [m for m in _methods(site) if m.name != "__init__"], written)
    again = [n for n in _nodes(others) if _adds_to(n) is not None or _is_same(n, blocks, written)]
    inside |= {id(n) for statement in again for n in ast.walk(statement)}
    for function, block, row in blocks:
        own = [*_nodes(block)]
        # A comprehension has names of its own.
        inner = {id(n) for c in own if isinstance(c, ast.comprehension) for n in ast.walk(c.target)}
        stored = [n for n in own if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
        made = {n.id for n in stored if id(n) not in inner}
        looked_up = {name: s for s in function.body for name in made & {*_looked_up(s, function, block)}}
        inside |= {id(n) for s in looked_up.values() for n in ast.walk(s)}
        if not {name for node in own for name in _augmented(node)} <= made:
            return False
        inside |= {id(n) for n in _of_own_loops(function) if n.id in made}
        converted = [s for s in ast.walk(function) if isinstance(s, ast.Assign) and converts(s.targets[0], s.value)]
        inside |= {id(n) for s in converted if written & {*_written(s.targets[0])} for n in ast.walk(s)}
        later = looked_up.keys() if looked_up else ()
        if any(id(node) not in inside and _depends(node, written, made, row, later) for node in ast.walk(function)):
            return False
        tests = [n.test for n in own if isinstance(n, ast.If) and not _is_assignment(n)]
        if not all(_is_of_module(function, test) for test in tests):
            return False
    kept = {
        id(n.targets[0])
        for n in _nodes(others)
        if isinstance(n, ast.Assign) and (converts(n.targets[0], n.value) or _is_empty(n.value))
    }
    kept |= {id(n) for n in _nodes(_statements(site, _of_strangers(site, method), written)) if _is_own(n)}
    return bool(blocks) and not any(
        id(node) not in inside and id(node) not in kept and _undoes(node, written) for node in _nodes(others)
    )


def _of_own_loops(function: ast.FunctionDef) -> Iterator[ast.Name]:
    """The names that loops bind, in these loops."""
    for loop in ast.walk(function):
        if isinstance(loop, ast.For):
            bound = {n.id for n in ast.walk(loop.target) if isinstance(n, ast.Name)}
            yield from (n for n in ast.walk(loop) if isinstance(n, ast.Name) and n.id in bound)


def added_once(site: Site, value: Value) -> bool:
    """Whether what no input decides is added to a list or dict that lacks it, `if name not in self.names: …`, and what that
    holds is read behind it."""
    return all(map(_is_given, choices(value))) and once(site, _added_once)


def _added_once(site: Site) -> bool:
    method = method_of(site)
    for guard in () if method is None else ast.walk(method):
        container = _adds_to(guard)
        if container is not None and method is not None and any(n is site.node for n in ast.walk(guard)):
            names = {n.attr for n in ast.walk(container) if isinstance(n, ast.Attribute)}
            row: int = getattr(guard, "lineno", 0)
            return not any(_depends(n, names, set(), row, ()) for n in ast.walk(method))
    return False


def _adds_to(node: ast.AST) -> ast.expr | None:
    """The container to which a statement adds what that lacks: `if key not in self.state: self.state[key] = 0`."""
    if not (
        isinstance(node, ast.If) and isinstance(node.test, ast.Compare) and isinstance(node.test.ops[0], ast.NotIn)
    ):
        return None
    first, container = node.body[0], node.test.comparators[0]
    given: tuple[ast.expr, ast.expr] | None = None
    if isinstance(first, ast.Assign) and isinstance(first.targets[0], ast.Subscript):
        if isinstance(first.value, ast.Constant) or _is_empty(first.value):
            given = first.targets[0].value, first.targets[0].slice
    elif isinstance(first, ast.Expr) and isinstance(first.value, ast.Call) and len(first.value.args) == 1:
        function = first.value.func
        if isinstance(function, ast.Attribute) and function.attr in ("append", "add"):
            given = function.value, first.value.args[0]
    if given is None or len(node.body) > 1 or node.orelse:
        return None
    return container if [*map(ast.dump, (container, node.test.left))] == [*map(ast.dump, given)] else None


def _is_same(node: ast.AST, blocks: list[tuple[ast.FunctionDef, list[ast.stmt], int]], written: set[str]) -> bool:
    """Whether a statement does what a block does, where that was not done yet."""
    return (
        isinstance(node, ast.If)
        and not node.orelse
        and any(_names_attribute(node.test, name) for name in written)
        and any([*map(ast.dump, node.body)] == [*map(ast.dump, block)] for _, block, _ in blocks)
    )


def _looked_up(statement: ast.stmt, function: ast.FunctionDef, block: list[ast.stmt]) -> Iterator[str]:
    """The name that is given what an attribute holds, `mask = self.masks.get(n)`, where a block leaves the same in both
    and nobody changes it."""
    if not isinstance(statement, ast.Assign) or not isinstance(statement.targets[0], ast.Name):
        return
    name = statement.targets[0].id
    kept = [
        n.targets[0]
        for n in block
        if isinstance(n, ast.Assign) and isinstance(n.value, ast.Name) and n.value.id == name
    ]
    held = [
        attribute for target in kept for attribute in _written(target) if _names_attribute(statement.value, attribute)
    ]
    inside = {id(n) for n in _nodes(block)}
    if held and not any(_changes(n, name) for n in ast.walk(function) if id(n) not in inside):
        yield name


def _changes(node: ast.AST, name: str) -> bool:
    """Whether a node writes into what a name holds."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return (node.func.attr in WRITERS or node.func.attr.endswith("_")) and root_name(node.func.value) == name
    return (
        isinstance(node, (ast.Subscript, ast.Attribute))
        and not isinstance(node.ctx, ast.Load)
        and root_name(node) == name
    ) or (isinstance(node, ast.AugAssign) and root_name(node.target) == name)


def _of_helper(site: Site, helper: ast.FunctionDef) -> list[tuple[ast.FunctionDef, list[ast.stmt], int]]:
    """A method that only sets up, and the guarded blocks that call it, each with its method and the row of its guard; none
    if it is called otherwise."""
    if helper.name == "forward" or not all(map(_sets_up, helper.body)):
        return []
    found = [(helper, helper.body, helper.lineno)]
    for method in _methods(site):
        calls = [n for n in ast.walk(method) if _calls(n, helper.name)] if method.name != "__init__" else []
        for call in calls:
            around = _block(method, call, [helper])
            if around is None:
                return []
            found.append((method, *around))
    return found if len(found) > 1 else []


def _helpers(site: Site) -> list[ast.FunctionDef]:
    """The methods of a file that only set up."""
    return [m for m in _methods(site) if m.name not in ("forward", "__init__") and all(map(_sets_up, m.body))]


def _calls(node: ast.AST | None, method: str) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == method


# What a tensor tells without its numbers.
_FILLING = frozenset({"zeros_like", "ones_like", "new_zeros", "new_ones"})
_MEASURES = frozenset({"shape", "size", "dtype", "device", "dim", "ndim", "numel"})


def begins_as_no_buffer(module: Instance, name: str, project: Project) -> bool:
    """Whether the constructor of a module, or of its bases, registers None as a buffer of that name."""
    line = () if module.cls is None else module.cls.mro(project)
    constructors = [cls.methods.get("__init__") for cls in line if not isinstance(cls, str)]
    return any(method is not None and name in _empty_buffers(method) for method in constructors)


@lru_cache(maxsize=4096)
def _empty_buffers(constructor: FunctionInfo) -> frozenset[str]:
    """The names that a constructor registers None as a buffer by."""
    if isinstance(constructor.node, ast.Lambda) or not may_name(constructor.node.body, "register_buffer"):
        return frozenset()
    return frozenset(
        str(node.args[0].value)
        for node in ast.walk(constructor.node)
        if isinstance(node, ast.Call)
        and dotted(node.func) == "self.register_buffer"
        and len(node.args) > 1
        and isinstance(node.args[0], ast.Constant)
        and _is_empty(node.args[1])
    )


def _is_filled(site: Site) -> bool:
    """Whether an attribute is given a tensor as large as another, filled with a number: `torch.zeros_like(x)`."""
    given = given_at(site)
    return isinstance(given, ast.Call) and dotted(given.func).rpartition(".")[2] in _FILLING


def _gives_own(site: Site) -> bool:
    """Whether an attribute is given what is made of the module alone."""
    method, given = method_of(site), given_at(site)
    return method is not None and given is not None and _is_of_module(method, given)


def _is_of_module(method: ast.FunctionDef, node: ast.expr) -> bool:
    """Whether an expression names no argument or variable of its method, but `self`."""
    own = {n.arg for n in ast.walk(method.args) if isinstance(n, ast.arg)} - {"self"}
    own |= {n.id for n in ast.walk(method) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return not any(isinstance(n, ast.Name) and n.id in own for n in ast.walk(node))


def given_at(site: Site) -> ast.expr | None:
    """The expression that a write in a method gives to its attribute."""
    method = method_of(site)
    nodes = () if method is None else ast.walk(method)
    return next((n.value for n in nodes if isinstance(n, ast.Assign) and site.node in n.targets), None)


def _only_measured(site: Site, value: Value) -> bool:
    """Whether an attribute keeps tensors whose sizes and dtypes alone are read, and these are the same in every call: they
    are fixed, or compared before they are kept."""
    kept = [one for one in choices(value) if type(one) is Tensor and not one.unbacked]
    if len(kept) < len(choices(value)):
        return False  # whatever is read of it, without going through the file for it
    measured, compared = once(site, _measured)
    return measured and (compared or all(map(_is_sized, kept)))


def _measured(site: Site) -> tuple[bool, bool]:
    """Whether the methods of a file read nothing but sizes and dtypes of what an attribute keeps, and whether they compare one."""
    name = next(_written(site.node), "")
    nodes = [*_nodes(_statements(site, [m for m in _methods(site) if m.name != "__init__"], {name}))]
    measured = {id(n.value) for n in nodes if isinstance(n, ast.Attribute) and n.attr in _MEASURES}
    asked = {id(n.left) for n in nodes if isinstance(n, ast.Compare) and isinstance(n.ops[0], (ast.Is, ast.IsNot))}
    reads = {id(n) for n in nodes if isinstance(n, ast.Attribute) and n.attr == name and isinstance(n.ctx, ast.Load)}
    compared = {id(n) for test in nodes if isinstance(test, ast.If) for n in ast.walk(test.test)} & measured
    return reads <= measured | asked, not reads.isdisjoint(compared)


def _is_sized(tensor: Tensor) -> bool:
    return tensor.dims is not None and all(type(size) in (Const, Static) for size in tensor.dims)


def bound_once(site: Site, name: str, value: Value) -> bool:
    """Whether a name of the file is bound to what no input decides, where it is None, and nowhere else in a function; or is
    only asked for whether a message was given."""
    if not all(map(_is_given, choices(value))):
        return False
    nodes = [*_nodes(site.module.body)]
    guards = [node for node in nodes if isinstance(node, ast.If)]
    asks = any(_is_none(guard.test, name) and any(n is site.node for n in _nodes(guard.body)) for guard in guards)
    functions = [node for node in nodes if isinstance(node, ast.FunctionDef)]
    uses = [n for f in functions for n in ast.walk(f) if isinstance(n, ast.Name) and n.id == name]
    if asks and all(n is site.node or isinstance(n.ctx, ast.Load) for n in uses):
        return True
    told = [g for g in guards if not g.orelse and all(only_says(s) or _binds(s, name) for s in g.body)]
    asked = {id(n) for guard in told for n in ast.walk(guard)}
    return all(id(n) in asked for n in uses)


def _binds(statement: ast.stmt, name: str) -> bool:
    """Whether a statement is `name = …`."""
    return isinstance(statement, ast.Assign) and all(
        isinstance(target, ast.Name) and target.id == name for target in statement.targets
    )


def _is_none(test: ast.expr, name: str) -> bool:
    """Whether a condition is `name is None`."""
    return (
        isinstance(test, ast.Compare)
        and isinstance(test.left, ast.Name)
        and test.left.id == name
        and isinstance(test.ops[0], ast.Is)
        and isinstance(test.comparators[0], ast.Constant)
        and test.comparators[0].value is None
    )


def filled_anew(site: Site, name: str) -> bool:
    """Whether a method gives a list or dict on self its contents before it reads them: it empties it first, or stores each
    literal key before it reads that."""
    method = method_of(site)
    if method is None:
        return False
    if method.name != "forward" and any(_emptied(other, name) for other in _methods(site) if other.name == "forward"):
        return True  # a hook, or a method that `forward` calls, fills it in the call that has emptied it
    others = _statements(site, [m for m in _methods(site) if m.name != "__init__" and m is not method], {name})
    if _emptied(method, name) or (not _mentioned(others, name) and _stored_first(method, name)):
        return True
    callers = [method, *(other for other in _methods(site) if other.name == "forward")]
    return _starts_empty(site, name) and (
        any(_left_empty(caller, name) for caller in callers) or _only_looked_up(site, name)
    )


def made_once(site: Site) -> bool:
    """Whether a write stands where its own attribute is asked for, `if self.names is None: self.names = …`: later calls pass it by."""
    return once(site, _made_once)


def _made_once(site: Site) -> bool:
    method = method_of(site)
    return method is not None and _guard(method, site.node, []) is not None


def takes_its_form(site: Site) -> bool:
    """Whether an attribute that is not yet of a type is given its own value in that: `if isinstance(self.size, int): self.size =
    (self.size, self.size)`. Later calls find what the first one used."""
    return once(site, _takes_its_form)


def _takes_its_form(site: Site) -> bool:
    method, name, given = method_of(site), next(_written(site.node), ""), given_at(site)
    if method is None or not isinstance(given, (ast.Tuple, ast.List)):
        return False
    tests = [
        guard.test.operand if isinstance(guard.test, ast.UnaryOp) else guard.test
        for guard in ast.walk(method)
        if isinstance(guard, ast.If) and any(isinstance(n, ast.Assign) and site.node in n.targets for n in guard.body)
    ]
    asked = [
        isinstance(test, ast.Call) and dotted(test.func) == "isinstance" and dotted(test.args[0]) == f"self.{name}"
        for test in tests
    ]
    return any(asked) and all(dotted(element) == f"self.{name}" for element in given.elts)


def kept_by_first_call(site: Site, value: Value) -> bool:
    """Whether one call leaves to all others what its inputs gave: `if not self.ready: self.mean = x.mean(); self.ready = True`."""
    return any(type(one) is Tensor and not one.fixed for one in choices(value)) and once(site, _kept_by_first_call)


def _kept_by_first_call(site: Site) -> bool:
    method, name = method_of(site), next(_written(site.node), "")
    if method is None:
        return False
    own = _guard(method, site.node, [])
    guards, block = [own], [] if own is None else own.body
    if own is None and method.name != "forward":  # then it is to be around each call of the method
        block = method.body
        guards = [_guard(m, n, block) for m in _methods(site) for n in ast.walk(m) if _calls(n, method.name)]
    inside = {id(n) for n in _nodes(block)}
    nodes = _nodes(_statements(site, [m for m in _methods(site) if m.name != "__init__"], {name}))
    reads = (n for n in nodes if isinstance(n, ast.Attribute) and n.attr == name and isinstance(n.ctx, ast.Load))
    return bool(guards) and None not in guards and any(id(n) not in inside for n in reads)


def _guard(method: ast.FunctionDef, node: ast.AST, helper: list[ast.stmt]) -> ast.If | None:
    """The condition around a node that asks for an attribute which its own block writes, or the body of a method that the
    block calls."""
    for guard in ast.walk(method):
        if isinstance(guard, ast.If) and any(n is node for n in _nodes(guard.body)):
            written = {name for n in _nodes([*guard.body, *helper]) for name in _written(n)}
            if any(_asks_for(guard.test, name) for name in written):
                return guard
    return None


def _asks_for(test: ast.expr, name: str) -> bool:
    """Whether a condition is about an attribute, or about whether there is one: `hasattr(self, "mean")`."""
    return _names_attribute(test, name) or any(
        isinstance(n, ast.Call)
        and dotted(n.func) in ("hasattr", "getattr")
        and len(n.args) > 1
        and isinstance(n.args[1], ast.Constant)
        and n.args[1].value == name
        for n in ast.walk(test)
    )


def begun_anew(site: Site) -> bool:
    """Whether what adds to an attribute, or `forward`, gives it its value first: `self.loss = 0` before `self.loss += …`."""
    return once(site, _begun_anew)


def _begun_anew(site: Site) -> bool:
    method, name = method_of(site), next(_written(site.node), "")
    callers = [m for m in _methods(site) if m is method or m.name == "forward"]
    return any(_assigned_first(m.body, name, site) for m in callers)


def _assigned_first(body: list[ast.stmt], name: str, site: Site) -> bool:
    """Whether the first that statements do with an attribute is to assign it, or to call a method that does, also in the
    block that holds a place."""
    for statement in body:
        if isinstance(statement, ast.Assign) and any(name in _written(target) for target in statement.targets):
            return not _names_attribute(statement.value, name)
        if isinstance(statement, ast.Expr) and any(
            _calls(statement.value, m.name) and _assigned_first(m.body, name, site) for m in once(site, _helpers)
        ):
            return True
        if _names_attribute(statement, name):
            blocks = [getattr(statement, part, []) for part in ("body", "orelse", "finalbody")]
            return any(
                any(n is site.node for n in _nodes(block)) and _assigned_first(block, name, site) for block in blocks
            )
    return False


def _asks_state(test: ast.expr) -> bool:
    """Whether a condition reads an attribute of `self`, which may differ from call to call."""
    return any(
        isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name) and n.value.id == "self" for n in ast.walk(test)
    )


def _starts_empty(site: Site, name: str) -> bool:
    """Whether constructors make an attribute an empty list or dict, which other objects may be given, and nothing else."""
    made = [value for value in _given_by_constructors(site, name) if not isinstance(value, ast.Name)]
    return bool(made) and all(
        (isinstance(value, (ast.Dict, ast.List)) and _is_empty(value))
        or (
            isinstance(value, ast.Call)
            and not value.args
            and not value.keywords
            and dotted(value.func).endswith(("dict", "OrderedDict", "list", "deque"))
        )
        for value in made
    )


def goes_back(site: Site) -> bool:
    """Whether an attribute is given None or an empty list or dict, as the constructors gave it: the next call finds what the
    first one found."""
    return once(site, _goes_back)


def _goes_back(site: Site) -> bool:
    given = given_at(site)
    if given is None or not _is_empty(given):
        return False
    made = _given_by_constructors(site, next(_written(site.node), ""))
    return bool(made) and all(value is not None and ast.dump(value) == ast.dump(given) for value in made)


def left_as_begun(site: Site) -> bool:
    """Whether `forward` alone writes an attribute, and leaves it in every call as the constructors gave it."""
    return once(site, _left_as_begun)


def _left_as_begun(site: Site) -> bool:
    method, name = method_of(site), next(_written(site.node), "")
    if method is None or method.name != "forward":
        return False
    others = _statements(site, [m for m in _methods(site) if m.name != "__init__" and m is not method], {name})
    made = _given_by_constructors(site, name)
    last = _last_use(method, name)
    return (
        isinstance(last, ast.Assign)
        and isinstance(last.value, ast.Constant)
        and [*_written(last.targets[0])] == [name]
        and isinstance(last.targets[0], ast.Attribute)
        and bool(made)
        and all(value is not None and ast.dump(value) == ast.dump(last.value) for value in made)
        and not any(name in _written(node) for node in _nodes(others))
    )


def _last_use(method: ast.FunctionDef, name: str) -> ast.stmt | None:
    """The last statement of a method that names an attribute, if every call reaches it."""
    named = [i for i, statement in enumerate(method.body) if _mentioned([statement], name)]
    if not named or any(isinstance(node, ast.Return) for node in _nodes(method.body[: named[-1]])):
        return None
    return method.body[named[-1]]


def _given_by_constructors(site: Site, name: str) -> list[ast.expr | None]:
    """The expressions that the constructors of the file give to an attribute."""
    return [
        node.value
        for node in _nodes(_statements(site, [m for m in _methods(site) if m.name == "__init__"], {name}))
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and name in _written(_target(node))
    ]


def _is_empty(node: ast.expr) -> bool:
    """Whether an expression is what a module begins with, and goes back to: the next call sets up anew."""
    nothing = isinstance(node, ast.Constant) and node.value is None
    return nothing or (isinstance(node, ast.Dict) and not node.keys) or (isinstance(node, ast.List) and not node.elts)


def _target(node: ast.Assign | ast.AnnAssign) -> ast.expr:
    return node.target if isinstance(node, ast.AnnAssign) else node.targets[0]


def _only_looked_up(site: Site, name: str) -> bool:
    """Whether methods do no more with a dict than to store items, where and under keys that no state decides, and to read
    them.

    What the first call finds in a dict that was empty, that call has stored; and so does every later one, before it reads.
    """
    nodes = [*_nodes(_statements(site, [m for m in _methods(site) if m.name != "__init__"], {name}))]
    if any(isinstance(node, ast.Try) and _mentioned(node.body, name) for node in nodes):
        return False
    stored = {
        id(n) for n in nodes if isinstance(n, ast.Subscript) and isinstance(n.ctx, ast.Store) and name in _written(n)
    }
    if any(isinstance(n, ast.If) and _asks_state(n.test) and any(id(m) in stored for m in ast.walk(n)) for n in nodes):
        return False
    known: set[int] = set()
    for node in nodes:
        if isinstance(node, ast.Subscript):
            if isinstance(node.ctx, ast.Load) or not any(
                isinstance(n, (ast.Attribute, ast.Call)) for n in ast.walk(node.slice)
            ):
                known.add(id(node.value))
        elif isinstance(node, ast.Return) and node.value is not None:
            known.add(id(node.value))
        if isinstance(node, ast.Attribute) and node.attr in ("values", "items", "keys", "clear"):
            known.add(id(node.value))
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr == "pop"
            and len(node.args) == 1
        ):
            known.add(id(node.func.value))  # it needs the key as `self.state[key]` does
    return all(id(node) in known for node in nodes if isinstance(node, ast.Attribute) and node.attr == name)


def _emptied(method: ast.FunctionDef, name: str) -> bool:
    """Whether the first that a method does with an attribute is to empty it."""
    first = next((s for s in method.body if _mentioned([s], name)), None)
    return first is not None and _empties(first)


def _empties(statement: ast.stmt) -> bool:
    """Whether a statement is `self.state.clear()`."""
    call = statement.value if isinstance(statement, ast.Expr) else None
    return (
        isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and call.func.attr == "clear"
        and isinstance(call.func.value, ast.Attribute)
    )


def _left_empty(method: ast.FunctionDef, name: str) -> bool:
    """Whether the last that a method does with an attribute, in every call, is to empty it."""
    last = _last_use(method, name)
    if last is None:
        return False
    if isinstance(last, ast.Assign):
        return name in _written(last.targets[0]) and _is_empty(last.value)
    if isinstance(last, ast.Delete):
        return all(
            isinstance(t, ast.Subscript) and isinstance(t.slice, ast.Slice) and t.slice.lower is t.slice.upper is None
            for t in last.targets
        )
    return _empties(last)


def _stored_first(method: ast.FunctionDef, name: str) -> bool:
    """Whether a method stores each literal key of a dict, always, before it reads it, and does nothing else with it."""
    stored: set[object] = set()
    for statement in method.body:
        asked, given = set[object](), set[object]()
        for node in ast.walk(statement):
            if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute) and node.value.attr == name:
                if not isinstance(node.slice, ast.Constant):
                    return False
                (asked if isinstance(node.ctx, ast.Load) else given).add(node.slice.value)
        uses = sum(isinstance(n, ast.Attribute) and n.attr == name for n in ast.walk(statement))
        items = sum(
            isinstance(n, ast.Subscript) and isinstance(n.value, ast.Attribute) and n.value.attr == name
            for n in ast.walk(statement)
        )
        if uses != items or not asked <= stored or (given and not isinstance(statement, ast.Assign)):
            return False
        stored |= given
    return bool(stored)


def _mentioned(places: Iterable[ast.stmt], name: str) -> bool:
    return any(_names_attribute(place, name) for place in places)


def _methods(site: Site) -> list[ast.FunctionDef]:
    """The methods of the classes of the file, without those that hold classes themselves."""
    around = holders(site.module)
    return [
        statement
        for cls in (*site.module.classes, *local_classes(site.module))
        for statement in cls.node.body
        if isinstance(statement, ast.FunctionDef) and id(statement) not in around
    ]


def _of_strangers(site: Site, method: ast.FunctionDef) -> list[ast.FunctionDef]:
    """The methods of classes whose `self` is no object of a method's class: they neither derive from it nor it from them."""
    classes = [cls.node for cls in (*site.module.classes, *local_classes(site.module))]
    bases = {cls.name: {dotted(base).rpartition(".")[2] for base in cls.bases} for cls in classes}
    kin = {cls.name for cls in classes if method in cls.body}
    size = 0
    while size != len(kin):
        size = len(kin)
        kin |= {name for name in bases if kin & bases[name] or any(name in bases.get(one, ()) for one in kin)}
    return [m for cls in classes if cls.name not in kin for m in cls.body if isinstance(m, ast.FunctionDef)]


def _is_own(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self"


def _statements(site: Site, methods: Iterable[ast.FunctionDef], names: set[str]) -> list[ast.stmt]:
    """What methods of the file do whose text names one of these attributes."""
    rows = site.module.parsed
    texts = [(method, "\n".join(rows[method.lineno - 1 : method.end_lineno])) for method in methods]
    return [s for method, text in texts if any(name in text for name in names) for s in method.body]


def method_of(site: Site) -> ast.FunctionDef | None:
    """The method that a place is in."""
    return once(site, _method_of)


def _method_of(site: Site) -> ast.FunctionDef | None:
    row: int = getattr(site.node, "lineno", 0)
    near = [m for m in _methods(site) if m.lineno <= row <= (m.end_lineno or row)]
    return next((m for m in near if any(n is site.node for n in ast.walk(m))), None)


def _is_given(value: Value) -> bool:
    """Whether no input decides a value, nor chance."""
    if isinstance(value, Tensor):
        return (value.fixed or value.sized) and not value.random and value.origin == FRESH
    if isinstance(value, Sequence):
        held = value.items if value.items is not None else [TOP if value.element is None else value.element]
        return all(_is_given(c) for item in held for c in choices(item))
    if isinstance(value, Mapping):
        return value.element is None and all(_is_given(c) for item in value.items.values() for c in choices(item))
    if isinstance(value, Sym):
        return value.backed and value.size
    if isinstance(value, Shape):
        return not value.tensor.unbacked
    if isinstance(value, Instance):
        if value.state and value.maker is None:
            return True  # a module that was there before
        given = [c for part in value.given.values() for c in choices(part)]
        return value.cls is None and has_parameters(value) is False and all(map(_is_given, given))
    return type(value) in (Const, External, Static)


def _block(
    method: ast.FunctionDef, node: ast.AST, helpers: Iterable[ast.FunctionDef]
) -> tuple[list[ast.stmt], int] | None:
    """The statements that set up together with a write, and the row where it is asked for whether they must: the body of
    the `if` around it, or what stands behind an early return of what is there already. `helpers` are methods that only
    set up."""

    def sets_up(statement: ast.stmt) -> bool:
        called = statement.value if isinstance(statement, ast.Expr) else None
        return _sets_up(statement) or any(_calls(called, helper.name) for helper in helpers)

    place = next((i for i, s in enumerate(method.body) if any(n is node for n in ast.walk(s))), 0)
    name = next(_written(node), "")
    early = next((i for i, s in enumerate(method.body[:place]) if _hands_out(s, name, method.body[i + 1 :])), None)
    guards = [
        guard
        for guard in ast.walk(method)
        if isinstance(guard, ast.If) and not guard.orelse and any(n is node for n in _nodes(guard.body))
    ]
    if guards and (early is None or not _is_assignment(guards[0])):
        # Around it there may be others, as `if not self.training:`, that do more.
        return next(((one.body, one.lineno) for one in reversed(guards) if all(map(sets_up, one.body))), None)
    if early is None:
        return None
    block = method.body[early + 1 :]
    work = block[:-1] if isinstance(block[-1], ast.Return) else block
    return (block, method.body[early].lineno) if all(map(sets_up, work)) else None


def _hands_out(statement: ast.stmt, name: str, rest: list[ast.stmt]) -> bool:
    """Whether a statement is `if self.mask is not None: return self.mask`, or leaves the method without a result where the
    attribute will do. It asks for the attribute `name`, and returns it, or another that `rest` sets with it."""
    if not isinstance(statement, ast.If) or statement.orelse or not _asks_for(statement.test, name):
        return False
    if isinstance(statement.body[0], ast.Return) and statement.body[0].value is not None:
        made = {name, *(n for node in _nodes(rest) for n in _written(node))}
        return any(_names_attribute(statement.body[0], one) for one in made)
    left = [node for node in ast.walk(statement) if isinstance(node, ast.Return)]
    return bool(left) and all(node.value is None for node in left)


def _names_attribute(node: ast.AST, name: str) -> bool:
    return any(isinstance(n, ast.Attribute) and n.attr == name for n in ast.walk(node))


def _is_assignment(guard: ast.If) -> bool:
    """Whether `if self.n is None or self.n != n: self.n = n` leaves what `self.n = n` leaves."""
    first = guard.body[0]
    if len(guard.body) > 1 or guard.orelse or not isinstance(first, ast.Assign) or len(first.targets) > 1:
        return False
    given = {ast.unparse(first.targets[0]), ast.unparse(first.value)}
    tests = (
        guard.test.values if isinstance(guard.test, ast.BoolOp) and isinstance(guard.test.op, ast.Or) else [guard.test]
    )
    return any(
        isinstance(test, ast.Compare)
        and isinstance(test.ops[0], ast.NotEq)
        and {ast.unparse(test.left), ast.unparse(test.comparators[0])} == given
        for test in tests
    )


def _sets_up(statement: ast.stmt) -> bool:
    """Whether a statement does no more than to give names and attributes their values, or to say so."""
    if isinstance(statement, ast.With):
        return all(map(_sets_up, statement.body))
    if isinstance(statement, ast.For):
        return all(map(_sets_up, statement.body)) and not statement.orelse
    if isinstance(statement, ast.If):
        return all(map(_sets_up, (*statement.body, *statement.orelse)))
    if isinstance(statement, ast.Try):
        handled = [inner for handler in statement.handlers for inner in handler.body]
        return all(map(_sets_up, (*statement.body, *handled, *statement.orelse, *statement.finalbody)))
    if isinstance(statement, ast.AugAssign):
        # Into a part of what the block makes: `mask[:, -1:] += 1`.
        return isinstance(statement.target, ast.Subscript) and isinstance(statement.target.value, ast.Name)
    return isinstance(statement, (ast.Assign, ast.AnnAssign)) or (
        isinstance(statement, ast.Expr)
        and (
            isinstance(statement.value, ast.Constant)
            or any(_registered(statement.value))
            or _hooks(statement.value)
            or _appends(statement.value)
            or only_says(statement)
        )
    )


def _appends(node: ast.expr) -> bool:
    """Whether a node appends to a list of the block, or of `self`."""
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "append"
        and (isinstance(node.func.value, ast.Name) or _is_own(node.func.value))
    )


def _hooks(node: ast.expr) -> bool:
    """Whether a node registers a forward hook, also one whose handle it appends to a list: the call that registers it runs
    the hook already, and is the one that is traced (measured: forward_hook_once)."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "append" and node.args:
        node = node.args[0]
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in FORWARD_HOOKS


def _registered(node: ast.AST) -> Iterator[str]:
    """The buffer that a node registers."""
    if isinstance(node, ast.Call) and dotted(node.func) == "self.register_buffer" and node.args:
        first = node.args[0]
        if isinstance(first, ast.Constant) and isinstance(first.value, str):
            yield first.value


def _augmented(node: ast.AST) -> Iterator[str]:
    """The local name into whose part a node adds: `mask[:, -1:] += 1`."""
    if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Subscript):
        yield from [n.id for n in ast.walk(node.target.value) if isinstance(n, ast.Name)]


def _undoes(node: ast.AST, written: set[str]) -> bool:
    """Whether a node writes one of these attributes, or into it."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr.endswith("_"):
        return any(isinstance(n, ast.Attribute) and n.attr in written for n in ast.walk(node.func.value))
    return any(name in written for name in _written(node))


def _depends(node: ast.AST, written: set[str], made: set[str], row: int, looked_up: Container[str]) -> bool:
    """Whether a node tells whether the block ran: it uses a local name of it, or reads an attribute before it does, or a
    name that is `looked_up` there."""
    if isinstance(node, ast.Name):
        return node.id in made and (node.id not in looked_up or node.lineno < row)
    if not isinstance(node, ast.Attribute) or node.attr not in written or node.lineno >= row:
        return False
    return root_name(node) == "self"


def _nodes(body: Iterable[ast.stmt]) -> Iterator[ast.AST]:
    for statement in body:
        yield from ast.walk(statement)


def _written(node: ast.AST) -> Iterator[str]:
    """The attribute that a node writes, or whose item it writes, or the buffer that it registers."""
    if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load) and isinstance(node.value, ast.Attribute):
        yield node.value.attr
    elif isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
        yield node.attr
    else:
        yield from _registered(node)
