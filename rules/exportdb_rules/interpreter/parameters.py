"""What a parameter is, when nobody has called the function: by annotation, by default, by convention."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from exportdb_rules.definitions import defaults_of
from exportdb_rules.lattice import Mapping, Sequence, choices, join, join_all
from exportdb_rules.project import ClassInfo, Module, dotted
from exportdb_rules.pytree import unregistered
from exportdb_rules.values import (
    ATTRIBUTE,
    INPUT,
    NONE,
    STATIC,
    STATIC_BOOL,
    STATIC_FLOAT,
    STATIC_INT,
    STATIC_STR,
    TOP,
    Const,
    Evidence,
    Instance,
    Static,
    Tensor,
    Value,
)

if TYPE_CHECKING:
    from exportdb_rules.interpreter.machine import AnalysisState
    from exportdb_rules.project import FunctionInfo

_PLAIN = {
    "int": STATIC_INT, "float": STATIC_FLOAT, "bool": STATIC_BOOL, "str": STATIC_STR, "None": NONE, "Any": TOP,
    "object": TOP, "bytes": Static("bytes"),
}  # fmt: skip
_TENSORS = frozenset(
    {"Tensor", "torch.Tensor", "FloatTensor", "torch.FloatTensor", "LongTensor", "torch.LongTensor", "BoolTensor",
     "torch.BoolTensor", "IntTensor", "torch.IntTensor", "HalfTensor", "torch.HalfTensor", "TensorType", "torch.ByteTensor"}
)  # fmt: skip
# What tensors with gradients were before torch 0.4; every tensor is an instance of it.
_OBSOLETE = frozenset({"torch.autograd.Variable", "torch.autograd.variable.Variable"})
# Beginnings of names that nobody gives a tensor: a parameter without annotation that is called so is no tensor by convention.
_NUMBERS_AND_FLAGS = ("num_", "use_", "return_")
# jaxtyping: Float[Tensor, "b n d"]
_JAXTYPING = {
    "Float": None, "Num": None, "Real": None, "Complex": None, "Shaped": None, "Inexact": None,
    "Int": "int64", "Integer": "int64", "UInt8": "uint8", "Bool": "bool",
}  # fmt: skip
_LISTS = {"List": "list", "list": "list", "Sequence": "list", "Iterable": "list", "MutableSequence": "list", "Set": "set",
          "set": "set", "Iterator": "iterator", "Generator": "generator", "FrozenSet": "set"}  # fmt: skip
_DICTS = frozenset({"Dict", "dict", "Mapping", "MutableMapping", "OrderedDict"})


def of_annotation(
    run: AnalysisState, module: Module, node: ast.expr, origin: str = INPUT, name: str = ""
) -> Value | None:
    """The value that an annotation promises; None where it says nothing that is understood."""
    if isinstance(node, ast.Constant):
        if node.value is None:
            return NONE
        if isinstance(node.value, str):
            try:
                return of_annotation(run, module, ast.parse(node.value, mode="eval").body, origin, name)
            except SyntaxError:
                return None
        return None
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return _union([of_annotation(run, module, part, origin, name) for part in (node.left, node.right)])
    if isinstance(node, ast.Subscript):
        return _generic(run, module, node, origin, name)
    text = dotted(node)
    if not text:
        return None
    short = text.rpartition(".")[2]
    if text in _PLAIN or short in _PLAIN:
        return _PLAIN.get(text) or _PLAIN[short]
    if text in _TENSORS or short in ("Tensor", "LongTensor", "FloatTensor", "BoolTensor"):
        dtype = {"LongTensor": "int64", "BoolTensor": "bool", "IntTensor": "int32"}.get(short)
        return _tensor(origin, name, dtype)
    if short in ("Callable", "Module"):
        return TOP
    if short in _LISTS:
        return Sequence(_LISTS[short], None, None)
    if short in _DICTS:
        return Mapping({}, TOP)
    target = run.project.resolve_expression(module, node)
    if isinstance(target, ClassInfo):
        return _object(run, target, origin)
    if isinstance(target, ast.expr) and target is not node:
        return of_annotation(run, module, target, origin, name)
    if isinstance(target, str) and target in (_OBSOLETE | _TENSORS):  # also `from torch import Tensor as T`
        return _tensor(origin, name)
    if isinstance(target, str) and target.startswith(
        ("torch.dtype", "torch.device", "torch.Generator", "torch.layout")
    ):
        return STATIC
    return None


def _tensor(origin: str, name: str, dtype: str | None = None) -> Tensor:
    token = ("arg", name) if name else None
    return Tensor(origin, alias=True, dtype=dtype or token, shape=token, evidence=Evidence.OBSERVED)


def _union(parts: list[Value | None]) -> Value | None:
    if STATIC_BOOL in parts:
        # A flag that may be a tensor as well is a bool, as a rule.
        parts = [part for part in parts if type(part) is not Tensor]
    known = [p for p in parts if p is not None]
    if not known:
        return None
    return join_all(known) if len(known) == len(parts) else TOP


def _generic(run: AnalysisState, module: Module, node: ast.Subscript, origin: str, name: str) -> Value | None:
    short = dotted(node.value).rpartition(".")[2]
    inner = list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]
    if short == "Optional":
        value = of_annotation(run, module, inner[0], origin, name)
        return TOP if value is None else join(value, NONE)
    if short == "Union":
        return _union([of_annotation(run, module, part, origin, name) for part in inner])
    if short in ("Annotated", "Final", "ClassVar", "Required", "NotRequired", "InitVar"):
        return of_annotation(run, module, inner[0], origin, name)
    if short == "Literal":
        kinds = {type(p.value).__name__ for p in inner if isinstance(p, ast.Constant)}
        return Static(kinds.pop()) if len(kinds) == 1 else STATIC
    if short in _JAXTYPING and len(inner) == 2:
        value = of_annotation(run, module, inner[0], origin, name)
        return _shaped(value, short, inner[1]) if type(value) is Tensor else value
    if short in _JAXTYPING and isinstance(inner[0], ast.Constant) and isinstance(inner[0].value, str):
        # A project's own shorthand, Float["b n d"]: jaxtyping itself takes no shape alone.
        return _shaped(_tensor(origin, name), short, inner[0])
    if short in ("Tuple", "tuple"):
        if len(inner) == 2 and isinstance(inner[1], ast.Constant) and inner[1].value is ...:
            return Sequence("tuple", None, of_annotation(run, module, inner[0], origin) or TOP)
        return Sequence("tuple", [of_annotation(run, module, part, origin) or TOP for part in inner])
    if short in _LISTS:
        return Sequence(_LISTS[short], None, of_annotation(run, module, inner[0], origin) or TOP)
    if short in _DICTS and len(inner) == 2:
        return Mapping({}, of_annotation(run, module, inner[1], origin) or TOP)
    if short in ("Callable", "Type", "type"):
        return TOP
    return of_annotation(run, module, node.value, origin, name)


def _shaped(tensor: Tensor, short: str, sizes: ast.expr) -> Tensor:
    """A tensor as jaxtyping says it is: `Float[Tensor, "b n d"]` has three dimensions, `"*b d"` any number of them."""
    text = sizes.value if isinstance(sizes, ast.Constant) else None
    known = isinstance(text, str) and not any(part in text for part in ("...", "*", "{", "("))
    return tensor.changed(
        dtype=_JAXTYPING[short] or tensor.dtype,
        rank=len(text.split()) if known and isinstance(text, str) else tensor.rank,
    )


def _object(run: AnalysisState, info: ClassInfo, origin: str) -> Value:
    """An instance of a class of the project that came from outside: its fields are what their annotations say."""
    if info.is_enum(run.project):
        return STATIC
    key = ("annotated", id(info), origin)
    found = run.instances.get(key)
    if found is None:
        found = run.instances[key] = Instance(info, identity=key)
        found.open = True
        for cls in reversed(info.mro(run.project)):
            if isinstance(cls, ClassInfo):
                for field in cls.annotations:
                    found.attributes[field] = of_field(run, cls, field, origin) or TOP
    return found


def of_field(run: AnalysisState, cls: ClassInfo, field: str, origin: str) -> Value | None:
    """What the annotation of a class's field says of it, and the default beside it; None where that is nothing."""
    value = of_annotation(run, cls.module, cls.annotations[field], origin)
    default = cls.assigns.get(field)
    return value.by_default(default.value) if type(value) is Static and isinstance(default, ast.Constant) else value


def entry_parameters(
    run: AnalysisState, function: FunctionInfo, observed: list[dict[str, Value]] | None = None
) -> dict[str, Value]:
    """The values with which a traced function is entered, its first parameter (`self`) left out if it is a method."""
    node = function.node
    args = node.args
    names = [*args.posonlyargs, *args.args]
    static = "staticmethod" in function.decorators
    defaults = defaults_of(node)
    result: dict[str, Value] = {}
    for i, arg in enumerate(names):
        if i == 0 and function.cls is not None and not static:
            continue
        result[arg.arg] = _parameter(run, function, arg, defaults.get(arg.arg), observed, keyword_only=False)
    for arg in args.kwonlyargs:
        result[arg.arg] = _parameter(run, function, arg, defaults.get(arg.arg), observed, keyword_only=True)
    if args.vararg is not None:
        annotation = args.vararg.annotation
        each = None if annotation is None else of_annotation(run, function.module, annotation) or TOP
        tensors = Tensor(INPUT, alias=True, evidence=Evidence.DERIVED, param=args.vararg.arg)
        result[args.vararg.arg] = Sequence("tuple", None, each or tensors)
    if args.kwarg is not None:
        result[args.kwarg.arg] = Mapping({}, TOP)
    return result


def _parameter(
    run: AnalysisState,
    function: FunctionInfo,
    arg: ast.arg,
    default: ast.expr | None,
    observed: list[dict[str, Value]] | None,
    *,
    keyword_only: bool,
) -> Value:
    token = ("arg", arg.arg)
    if arg.annotation is not None:
        value = _annotated(run, function.module, arg, arg.annotation)
        if value is not None and value is not TOP:
            if isinstance(default, ast.Constant) and default.value is None:
                value = join(value, NONE)
            kept = [part for part in choices(value) if not _refused(run, function, part)]
            # What export does not take is given by a call that is in sight, or not at all.
            return value if len(kept) in (0, len(choices(value))) else _called_with(observed, arg.arg) or join_all(kept)
        if value is TOP or not isinstance(default, ast.Constant):
            return _called_with(observed, arg.arg) or TOP
    called = _called_with(observed, arg.arg)
    if called is not None:
        return called
    if default is None:
        if keyword_only or arg.arg.startswith(_NUMBERS_AND_FLAGS):
            return TOP
        return Tensor(INPUT, alias=True, dtype=token, shape=token, evidence=Evidence.DERIVED, param=arg.arg)
    if isinstance(default, ast.Constant):
        if default.value is None:
            return join(
                Tensor(INPUT, alias=True, dtype=token, shape=token, evidence=Evidence.ASSUMED, param=arg.arg), NONE
            )
        return Static(type(default.value).__name__)
    return STATIC if isinstance(default, (ast.Name, ast.Attribute, ast.UnaryOp, ast.BinOp, ast.Tuple)) else TOP


def _refused(run: AnalysisState, function: FunctionInfo, value: Value) -> bool:
    """Whether export refuses a value as an input: an object of a class that pytree cannot flatten."""
    cls = value.cls if type(value) is Instance else None
    return cls is not None and unregistered(run.project, cls, function.module)


def _annotated(run: AnalysisState, module: Module, arg: ast.arg, annotation: ast.expr) -> Value | None:
    """What its annotation promises of a parameter of an entry.

    It is found out once for all checks of a session, in which nothing changes but bodies of functions. A container is made
    anew: what one entry does to it is no other's business.
    """
    known = run.inputs.get(id(arg))
    if known is not None:
        return known[1]
    value = of_annotation(run, module, annotation, INPUT, arg.arg)
    if value is None or not any(isinstance(part, (Sequence, Mapping)) for part in choices(value)):
        # The parameter is kept too: an id is only good for as long as its object lives.
        run.inputs[id(arg)] = (arg, value)
    return value


def _called_with(observed: list[dict[str, Value]] | None, name: str) -> Value | None:
    given = [env[name] for env in observed or () if name in env]
    value = join_all(given)
    return None if value is TOP else value


def constructor_parameters(run: AnalysisState, function: FunctionInfo) -> dict[str, Value]:
    """The values with which a constructor is run when nobody in sight calls it: configuration, fixed but unknown."""
    node = function.node
    result: dict[str, Value] = {}
    args = node.args
    defaults = defaults_of(node)
    for arg in [*[*args.posonlyargs, *args.args][1:], *args.kwonlyargs]:
        default = defaults.get(arg.arg)
        value: Value | None = None
        if arg.annotation is not None:
            value = of_annotation(run, function.module, arg.annotation, ATTRIBUTE)
            if type(value) is Tensor:
                value = Tensor(ATTRIBUTE, alias=True, fixed=True, readable=True)
            if isinstance(default, ast.Constant) and default.value is None and value is not None:
                value = join(value, NONE)
        if value is None or value is TOP:
            known = isinstance(default, ast.Constant) and default.value is not None
            value = Static(type(default.value).__name__) if known else STATIC  # type: ignore[union-attr]
        if type(value) is Const and value.value is not None:
            value = Static(type(value.value).__name__)
        if type(value) is Static and value.type in ("", "int"):
            owner = "" if function.cls is None else function.cls.name
            value = Static(value.type, value.number, name=("given", function.module.filename, owner, arg.arg))
        if type(value) is Static and isinstance(default, ast.Constant):
            value = value.by_default(default.value)
        result[arg.arg] = value
    if args.vararg is not None:
        result[args.vararg.arg] = Sequence("tuple", None, STATIC)
    if args.kwarg is not None:
        result[args.kwarg.arg] = Mapping({}, STATIC)
    return result
