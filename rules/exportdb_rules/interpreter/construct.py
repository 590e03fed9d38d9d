"""Objects: what a class of the project, or a module of torch, is once it has been constructed."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from exportdb_rules.definitions import decorators, defaults_of
from exportdb_rules.facts import Built, TruthTested
from exportdb_rules.interpreter.attributes import AUTOGRAD_FUNCTION, class_value, write_attribute
from exportdb_rules.interpreter.calls import bind, run_body, run_function
from exportdb_rules.interpreter.dispatch import call, calls, methods_of, read_attribute
from exportdb_rules.interpreter.distributions import is_distribution, validated
from exportdb_rules.interpreter.environment import Environment
from exportdb_rules.interpreter.machine import Frame, evaluate
from exportdb_rules.interpreter.modules import take_arguments
from exportdb_rules.interpreter.parameters import constructor_parameters, of_field
from exportdb_rules.interpreter.postponed import postponed
from exportdb_rules.lattice import Mapping, Sequence, choices
from exportdb_rules.project import ClassInfo
from exportdb_rules.values import (
    ATTRIBUTE,
    STATIC,
    TOP,
    Class,
    Const,
    External,
    Function,
    Instance,
    Partial,
    Static,
    Sym,
    Tensor,
    Value,
)

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    from exportdb_rules.export_calls import Setting
    from exportdb_rules.interpreter.machine import AnalysisState
    from exportdb_rules.project import FunctionInfo, Project

# Distinct arguments with which one class is constructed before they are taken for one.
MAX_CONSTRUCTIONS = 6


@dataclass(frozen=True, slots=True)
class Arguments:
    """What a call gives a constructor, and what is done to the object then."""

    args: tuple[Value, ...] = ()
    keywords: dict[str, Value] = field(default_factory=dict[str, Value])
    settings: tuple[Setting, ...] = ()

    def key(self) -> Hashable:
        """Equal for arguments that are interchangeable."""
        given = (tuple([value.key() for value in self.args]), tuple([(k, v.key()) for k, v in self.keywords.items()]))
        return (*given, tuple([ast.dump(setting.node) for setting in self.settings])) if self.settings else given


@calls(Class)
def _call_class(frame: Frame, node: ast.AST, callee: Class, args: list[Value], keywords: dict[str, Value]) -> Value:
    return construct(frame, node, callee.info, args, keywords)


@methods_of(Class)
def _call_library_constructor(
    frame: Frame, node: ast.AST, receiver: Class, name: str, args: list[Value], keywords: dict[str, Value]
) -> Value:
    """`Model.from_pretrained("…", use_cache=False)`, where that is an installed package's method: the configuration comes from a
    file. It is taken for one whose options have their defaults, but for those that are given by name."""
    run = frame.run
    init = _constructor(run.project, receiver.info)
    usual = {} if init is None else defaults_of(init.node)
    options = {} if init is None else constructor_parameters(run, init)
    traced, frame.traced = frame.traced, False
    try:
        given: dict[str, Value] = {}
        for parameter, value in options.items():
            if parameter not in usual and type(value) is Instance and value.cls is not None:
                made = construct(frame, node, value.cls, [], {})
                given[parameter] = _with_options(frame, node, made, keywords) if type(made) is Instance else made
        return construct(frame, node, receiver.info, [], given) if given else instance_of(run, receiver.info)
    finally:
        frame.traced = traced


def _with_options(frame: Frame, node: ast.AST, usual: Instance, keywords: dict[str, Value]) -> Instance:
    """A configuration with other values of some options, for the call at hand alone."""
    found = copied_object(frame, node, usual)
    for name, value in keywords.items():
        if name in found.attributes:
            write_attribute(frame, node, found, name, value, augmented=False)
    return found


def copied_object(frame: Frame, node: ast.AST, source: Instance) -> Instance:
    """Another object with the attributes of one: what is set on it afterwards is not set on that."""
    # Not the node itself: the same function in a newer text must give an equal value.
    function = frame.function
    row = getattr(node, "lineno", 0) - (0 if function is None else function.node.lineno)
    where = (id(function or frame.module), row, getattr(node, "col_offset", 0))
    found = Instance(source.cls, source.external, identity=("copy", where, source.key()), state=source.state)
    found.attributes, found.elements, found.open = {**source.attributes}, source.elements, source.open
    frame.run.instances[found.identity] = found
    return found


def _member(frame: Frame, node: ast.AST, args: list[Value]) -> Value:
    """A member of an Enum, which is known by its value: a number that tracing does not know is compared with those of all."""
    for value in choices(args[0]) if args else ():
        if type(value) is Sym and not value.backed:
            same = Sym("bool", backed=False, site=value.site, evidence=value.evidence)
            frame.emit(TruthTested(frame.site(node), same, "match", node))
    return args[0] if len(args) == 1 and type(args[0]) is Const else STATIC


def construct(frame: Frame, node: ast.AST, info: ClassInfo, args: list[Value], keywords: dict[str, Value]) -> Value:
    """`info(*args, **keywords)`."""
    run = frame.run
    project = run.project
    bases = info.external_bases(project)
    if info.is_enum(project):
        return _member(frame, node, args)
    if any(base.endswith(("Exception", "Error")) for base in bases):
        return TOP
    if AUTOGRAD_FUNCTION in bases:
        return TOP
    module = info.is_module(project)
    # Not the node itself: the same function in a newer text must give an equal value.
    where = (id(frame.function), ast.unparse(node)) if frame.traced and isinstance(node, ast.expr) else 0
    key = ("new", id(info), where, tuple([a.key() for a in args]), tuple([(k, v.key()) for k, v in keywords.items()]))
    found = run.instances.get(key) or run.instances.get((key, run.entry))
    if found is None and run.idle is not None and run.idle.node is node and not frame.traced and not module:
        init = _constructor(project, info)
        values = [*args, *keywords.values()]
        if init is not None and postponed(
            frame, init, info, values, lambda: construct(frame, node, info, args, keywords)
        ):
            return TOP
    if found is None:
        idle, run.idle = run.idle, None  # the object is used, so its constructor is run
        found = _made(frame, node, info, key, args, keywords)
        run.idle = idle
    if type(found) is Instance:
        found.made_at.add(node)
    if module and frame.traced:
        frame.emit(Built(frame.site(node), info.name, found))
    return found


def _made(
    frame: Frame, node: ast.AST, info: ClassInfo, key: Hashable, args: list[Value], keywords: dict[str, Value]
) -> Instance:
    """A new object, its constructor run; `key` tells it from those that are made elsewhere or of other arguments."""
    run = frame.run
    bases = info.external_bases(run.project)
    made = run.constructions.get(id(info), 0)
    if made >= MAX_CONSTRUCTIONS and not frame.traced:
        return instance_of(run, info)
    run.constructions[id(info)] = made + 1
    state = info.is_module(run.project) or not frame.traced
    instance = run.instances[key] = Instance(info, _library_base(bases), identity=key, state=state)
    instance.maker = frame.function if frame.traced else None
    initialise(frame, node, instance, args, keywords)
    if frame.traced and any(isinstance(v, (Sequence, Mapping)) for v in instance.attributes.values()):
        # What one entry puts into the containers of an object that it makes is no other entry's business.
        del run.instances[key]
        instance.identity = (key, run.entry)
        run.instances[instance.identity] = instance
    return instance


def _library_base(bases: tuple[str, ...]) -> str:
    return next((b for b in bases if b.startswith("torch.nn.")), bases[0] if bases else "")


def initialise(frame: Frame, node: ast.AST, instance: Instance, args: list[Value], keywords: dict[str, Value]) -> None:
    """Run a constructor for what it puts on the object; inside traced code it is traced like any other function."""
    assert instance.cls is not None
    project = frame.run.project
    init = _constructor(project, instance.cls)
    heap, frame.run.heap = frame.run.heap, {}
    instance.building = True
    try:
        if init is not None:
            run_function(frame, node, Function(init, bound=instance, owner=init.cls), args, keywords)
        elif _fields(frame.run, instance.cls):
            _fill_fields(frame, instance, args, keywords)
            _finish_fields(frame, node, instance)
        else:
            external_init(frame, node, instance, args, keywords)
    finally:
        instance.building = False
        frame.run.heap = heap


def _constructor(project: Project, info: ClassInfo) -> FunctionInfo | None:
    """The `__init__` that runs; None where a dataclass's own is made from its fields, or there is none in sight."""
    made = any(name.rpartition(".")[2] == "dataclass" for name in decorators(info.node))
    if made and "__init__" not in info.methods:
        return None
    return info.find("__init__", project)


def _fields(run: AnalysisState, info: ClassInfo) -> list[tuple[ClassInfo, str, ast.expr | None]]:
    """The fields of a dataclass or NamedTuple, bases first."""
    found: dict[str, tuple[ClassInfo, str, ast.expr | None]] = {}
    for cls in reversed(info.mro(run.project)):
        if isinstance(cls, ClassInfo):
            for name in cls.annotations:
                found[name] = (cls, name, cls.assigns.get(name))
    return list(found.values())


def _fill_fields(frame: Frame, instance: Instance, args: list[Value], keywords: dict[str, Value]) -> None:
    assert instance.cls is not None
    fields = _fields(frame.run, instance.cls)
    for i, (cls, name, default) in enumerate(fields):
        if i < len(args):
            value = args[i]
        elif name in keywords:
            value = keywords[name]
        elif "**" in keywords or default is None:
            value = keywords.get("**", TOP)
        elif isinstance(default, ast.Call):
            value = _of_field(frame, cls, default)
        else:
            value = class_value(frame, cls.module, name, default)
        instance.attributes[name] = value
    instance.attributes["\0fields"] = Sequence("tuple", [Const(name) for _, name, _ in fields])


def _finish_fields(frame: Frame, node: ast.AST, instance: Instance) -> None:
    """What a dataclass does once it has its fields; one that is a dict as well fills that by their names, and is left alone."""
    assert instance.cls is not None
    finish = instance.cls.find("__post_init__", frame.run.project)
    if finish is None or {*instance.cls.external_bases(frame.run.project)} - {"builtins.object"}:
        return
    names = [argument.arg for argument in (*finish.node.args.posonlyargs, *finish.node.args.args)][1:]
    given = {name: instance.attributes.get(name, TOP) for name in names}
    run_function(frame, node, Function(finish, bound=instance, owner=finish.cls), [], given)


def _of_field(frame: Frame, cls: ClassInfo, node: ast.Call) -> Value:
    """`field(default=…)`, `field(default_factory=…)`."""
    given = {keyword.arg: keyword.value for keyword in node.keywords if keyword.arg is not None}
    if "default" in given:
        return class_value(frame, cls.module, "default", given["default"])
    factory = given.get("default_factory")
    return (
        TOP
        if factory is None
        else call(frame, node, class_value(frame, cls.module, "default_factory", factory), [], {})
    )


def external_init(
    frame: Frame, node: ast.AST, instance: Instance, args: list[Value], keywords: dict[str, Value]
) -> None:
    """`super().__init__(…)` of a library's class: containers of modules take their elements here."""
    if is_distribution(instance):
        short = instance.external.rpartition(".")[2]
        if not short.endswith("Transform"):
            validated(frame, node, short, args, keywords)
    elif instance.external:
        take_arguments(frame, instance, args, keywords)


def object_of(run: AnalysisState, info: ClassInfo, given: Arguments) -> Value:
    """The very object that a call at the top level of a file makes."""
    frame = Frame(run, info.module, None)
    frame.traced = False
    made = construct(frame, info.node, info, [*given.args], given.keywords)
    configure(run, made, given.settings)
    return made


def instance_of(run: AnalysisState, info: ClassInfo, given: Arguments | None = None) -> Instance:
    """An object of a class, whose configuration is fixed, but unknown.

    Args:
        given: what the constructor is given where the object is exported. The numbers among that, and among the defaults
            of what is not given, are sizes of weights: they are known, but the class was written for others as well. A
            module that it is given is part of what is exported.
    """
    key = ("new", id(info), "any" if given is None else given.key())
    found = run.instances.get(key)
    if found is not None:
        return found
    project = run.project
    bases = info.external_bases(project)
    instance = run.instances[key] = Instance(info, _library_base(bases), identity=key, state=True)
    frame = Frame(run, info.module, None)
    frame.traced = False
    init = _constructor(project, info)
    if init is not None:
        usual = _made_defaults(run, init)
        defaults = {name: value for name, value in usual.items() if _is_callable(value)}
        parameters = {**constructor_parameters(run, init), **defaults}
        function = Function(init, bound=instance, owner=init.cls)
        known = {name: value for name, value in usual.items() if _is_configuration(project, value)}
        if given is not None:
            known = bind(frame, init, function, [instance, *given.args], given.keywords)
        parameters = {name: _sized(run, value, known.get(name, TOP), key) for name, value in parameters.items()}
        env = Environment()
        names = [*init.node.args.posonlyargs, *init.node.args.args]
        if names:
            env[names[0].arg] = instance
        env.update(parameters)
        _run_constructor(frame, function, env)
        kept = [value for value in defaults.values() if type(value) is Class and value.info.is_module(project)]
        for name, value in instance.attributes.items():
            if any(value is one for one in kept):
                instance.attributes[name] = STATIC  # it is called with tensors: a module is given in its place
    elif _fields(run, info):
        for cls, name, _ in _fields(run, info):
            instance.attributes[name] = of_field(run, cls, name, ATTRIBUTE) or STATIC
    configure(run, instance, () if given is None else given.settings)
    return instance


def configure(run: AnalysisState, made: Value, settings: Iterable[Setting]) -> None:
    """Do to an object what the code does before it exports it."""
    for setting in settings:
        frame = Frame(run, setting.scope.names, None)
        frame.traced = False
        frame.env.bind(setting.name, made)
        node, follow = setting.node, setting.scope.follow
        recorded, run.recorded = run.recorded, None  # it is run as any other code of the file when somebody calls it
        try:
            place = node.func if isinstance(node, ast.Call) else node.targets[0]
            assert isinstance(place, ast.Attribute)
            owner = evaluate(frame, place.value)
            if isinstance(node, ast.Call):
                args = [evaluate(frame, follow(arg)) for arg in node.args]
                keywords = {k.arg: evaluate(frame, follow(k.value)) for k in node.keywords if k.arg is not None}
                call(frame, node, read_attribute(frame, place, owner, place.attr), args, keywords)
            else:
                value = evaluate(frame, follow(node.value))
                write_attribute(frame, place, owner, place.attr, value, augmented=False)
        finally:
            run.recorded = recorded


def _made_defaults(run: AnalysisState, init: FunctionInfo) -> dict[str, Value]:
    """The classes, functions and objects that a constructor uses where it is given no others: `norm_layer=nn.LayerNorm`."""
    frame = Frame(run, init.module, None)
    frame.traced = False
    return {
        name: evaluate(frame, default)
        for name, default in defaults_of(init.node).items()
        if isinstance(default, (ast.Name, ast.Attribute, ast.Call, ast.Dict))
    }


def _is_configuration(project: Project, value: Value) -> bool:
    """Whether a default is an object of the project's, or a dict, that only holds options."""
    if type(value) is Instance:
        return value.cls is not None and not value.cls.is_module(project)
    return type(value) is Mapping


def _is_callable(value: Value) -> bool:
    if type(value) is Partial:
        return _is_callable(value.callee)
    name = value.name if type(value) is External else value.external if type(value) is Instance else ""
    return type(value) in (Class, Function) or name.startswith("torch.nn.")


def _sized(run: AnalysisState, value: Value, given: Value, identity: Hashable) -> Value:
    """A part of a configuration, with the numbers that it has where it is given."""
    if type(given) is Const:
        known = Static("int", given.value) if type(given.value) is int else value
        return known.by_default(given.value) if type(known) is Static else known
    if _is_callable(given) and type(given) is not Instance:
        return given
    if type(given) is Sequence and given.items is not None:
        return Sequence(given.type, [_sized(run, STATIC, item, (identity, at)) for at, item in enumerate(given.items)])
    if type(given) is Mapping and given.element is None:
        items = given.items.items()
        return Mapping({name: _sized(run, STATIC, item, (identity, name)) for name, item in items}, STATIC)
    if type(given) is Instance and (given.cls is None or given.cls.is_module(run.project)):
        return given  # a module, or a distribution
    if type(given) is Tensor:
        return given
    if type(given) is Instance and given.cls is not None:
        # The fields of a configuration that is an object.
        found = run.instances[(identity, given.key())] = Instance(
            given.cls, given.external, identity=(identity, given.key()), state=True
        )
        known = value.attributes if type(value) is Instance else {}
        found.open = True
        found.attributes = {
            name: _sized(run, known.get(name, STATIC), part, (identity, name))
            for name, part in given.attributes.items()
        }
        return found
    return value


def _run_constructor(frame: Frame, function: Function, env: Environment) -> None:
    info = function.info
    inner = Frame(frame.run, info.module, info)
    inner.traced = False
    inner.cls = function.owner
    inner.self_value = function.bound
    inner.env = env
    frame.run.untraced.add(id(info))
    heap, frame.run.heap = frame.run.heap, {}
    frame.run.depth += 1
    try:
        run_body(inner, info)
    finally:
        frame.run.depth -= 1
        frame.run.heap = heap
