"""Calls: of the project's functions and classes, of modules, and the way to everything of a library."""

from __future__ import annotations

import ast
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from exportdb_rules.definitions import is_one_of, own_statements
from exportdb_rules.facts import BoundHit, Called, OperatorCalled, SizeGiven
from exportdb_rules.interpreter.attributes import BACKWARD_CONTEXT, METHOD_OF_CLASS, RAISED_BACKWARD, RAISING_BACKWARD
from exportdb_rules.interpreter.audio_library import call_transform, is_transform
from exportdb_rules.interpreter.dispatch import call, call_unknown, calls
from exportdb_rules.interpreter.distributions import call_distribution_method, is_distribution
from exportdb_rules.interpreter.einops_library import call_einops_layer, is_einops_layer
from exportdb_rules.interpreter.environment import Environment
from exportdb_rules.interpreter.machine import (
    MAX_CALLS_DEEP,
    MAX_CLOSURE_RUNS,
    MAX_CONTEXTS,
    MAX_CONTEXTS_SMALL,
    MAX_STEPS,
    MAX_STEPS_OF_LIBRARY,
    SMALL,
    Frame,
    FuelExhausted,
    Summary,
    Wrapped,
    evaluate,
    execute,
    record,
)
from exportdb_rules.interpreter.membership import ask_for_hash
from exportdb_rules.interpreter.modules import call_module
from exportdb_rules.interpreter.ownership import note_unregistered
from exportdb_rules.interpreter.parameters import of_annotation
from exportdb_rules.interpreter.postponed import postponed
from exportdb_rules.interpreter.random_transforms import call_random_transform, is_random_transform
from exportdb_rules.interpreter.shape_tokens import renamed
from exportdb_rules.interpreter.submodules import is_module
from exportdb_rules.interpreter.type_checkers import check_types
from exportdb_rules.interpreter.waiting import Idle
from exportdb_rules.interpreter.wrappers import disabled, name_of_disabling, replaces_forward, wrapper_of
from exportdb_rules.lattice import Mapping, Sequence, choices, copied, is_none, join, join_all, tensors
from exportdb_rules.values import (
    ANYWHERE,
    FRESH,
    NONE,
    STATIC,
    TOP,
    TRUE,
    Class,
    Const,
    Evidence,
    Function,
    Instance,
    Partial,
    Site,
    Static,
    Tensor,
    TraceTime,
    Union,
    Value,
    is_assumed,
    is_returned,
    is_unknown,
)

if TYPE_CHECKING:
    from collections.abc import Hashable

    from exportdb_rules.facts import Fact
    from exportdb_rules.interpreter.machine import AnalysisState
    from exportdb_rules.project import FunctionInfo

# The first parameter of the wrapper through which non-strict export calls modules (case `keyword_mod`).
_RESERVED: Final = "mod"
# They look up what they were called with.
_CACHING: Final = frozenset({"lru_cache", "functools.lru_cache", "cache", "functools.cache"})
# What only tensors are asked for.
_OF_TENSORS: Final = frozenset(
    "shape size dim ndim view reshape permute transpose unsqueeze squeeze flatten chunk contiguous masked_fill".split()
)
# A body that export does not trace: a custom operator, or one that the author took out of the graph.
_OPAQUE = (
    "assume_constant_result",
    "allow_in_graph",
    "custom_op",
    "library.impl",
    "nonstrict_trace",
)
# What switches gradients off while a function runs.
NO_GRAD = ("no_grad", "inference_mode")


@calls(Partial)
def _call_partial(frame: Frame, node: ast.AST, callee: Partial, args: list[Value], keywords: dict[str, Value]) -> Value:
    result = call(frame, node, callee.callee, [*callee.args, *args], {**callee.keywords, **keywords})
    if callee.backward is not None and frame.traced and not frame.run.no_grad:
        _differentiate(frame, node, callee.callee, callee.backward, args, result)
    return result


def _differentiate(
    frame: Frame, node: ast.AST, forward: Value, backward: Value, args: list[Value], result: Value
) -> None:
    """Strict export traces the `backward` of an autograd Function that is given a tensor which requires grad (measured:
    backward_branch, backward_branch_ok, backward_raises, backward_missing, classmethod_forward)."""
    if not any(tensor.requires_grad for value in args for tensor in tensors(value)):
        return
    if any(type(method) is Function and type(method.bound) is Class for method in (forward, backward)):
        frame.emit_call(node, METHOD_OF_CLASS)
        return
    if type(backward) is not Function:
        frame.emit_call(node, RAISING_BACKWARD)
        return
    run, summary, unreachable = frame.run, frame.summary, frame.unreachable
    before, certain, looped = len(summary.calls), len(summary.certain_calls), len(summary.looped_calls)
    context = Instance(None, BACKWARD_CONTEXT, identity=("backward", id(node)))
    context.open = True
    context.attributes = {"saved_tensors": Sequence("tuple", None, Tensor(evidence=Evidence.DERIVED))}
    results = result.items if type(result) is Sequence and result.items is not None else [result]
    grads: list[Value] = [Tensor(evidence=Evidence.DERIVED) for _ in results]
    run.no_grad += 1
    try:
        run_function(frame, node, backward, [context, *grads], {})
        written = backward.info.node
        last = written.body[-1] if isinstance(written, ast.FunctionDef) else None
        if isinstance(last, ast.Raise) and not any(isinstance(one, ast.Return) for one in own_statements(written)):
            frame.emit(Called(Site(backward.info.module.file, last), RAISED_BACKWARD, (), (), optional=frame.optional))
    finally:
        run.no_grad -= 1
        summary.backward_calls += summary.calls[before:]
        del summary.calls[before:], summary.certain_calls[certain:], summary.looped_calls[looped:]
        frame.unreachable = unreachable


@calls(Union)
def _call_each(frame: Frame, node: ast.AST, callee: Union, args: list[Value], keywords: dict[str, Value]) -> Value:
    called = [c for c in callee.choices if not is_none(c)]
    # Of layers in a list, each is called; of a module and what TorchScript made of one, either.
    several = len(called) > 1 and (
        any(type(c) is not Instance for c in called) or len({_is_scripted(c) for c in called}) > 1
    )
    facts = frame.summary.facts
    starts: list[int] = []
    results: list[Value] = []
    frame.depth += several
    try:
        for each in called:
            starts.append(len(facts))
            results.append(call(frame, node, each, args, keywords))
    finally:
        frame.depth -= several
    if several:
        # Where one of them takes a tensor and another wants an int, the other is not the one that is called: eager would raise.
        wanting = {any(map(_wants_int, facts[a:b])) for a, b in pairwise([*starts, len(facts)])}
        if len(wanting) > 1:
            facts[starts[0] :] = [fact for fact in facts[starts[0] :] if not _wants_int(fact)]
    return join_all(results)


def _is_scripted(value: Value) -> bool:
    return type(value) is Instance and value.external in ("torch.jit.script", "torch.jit.trace")


def _wants_int(fact: Fact) -> bool:
    """Whether a tensor stands where an operator takes an int."""
    return type(fact) is SizeGiven and type(fact.value) is Tensor


@calls(TraceTime)
def _call_trace_time(
    frame: Frame, node: ast.AST, callee: TraceTime, args: list[Value], keywords: dict[str, Value]
) -> Value:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return callee  # a method of it
    return call_unknown(frame, node, args, keywords)


@calls(Static)
def _call_static(frame: Frame, node: ast.AST, callee: Static, args: list[Value], keywords: dict[str, Value]) -> Value:
    result = call_unknown(frame, node, args, keywords)
    plain = all(type(choice) in (Static, Const) for value in args for choice in choices(value))
    return STATIC if plain and not is_returned(result) else result


@calls(Instance)
def _call_object(frame: Frame, node: ast.AST, callee: Instance, args: list[Value], keywords: dict[str, Value]) -> Value:
    if frame.traced and callee.state:
        note_unregistered(frame, node, callee)
        if _RESERVED in keywords and is_module(callee, frame.run.project):
            frame.emit_call(node, "torch.nn.Module.__call__", [callee, *args], keywords)
    own = None if callee.cls is None else callee.cls.find("__call__", frame.run.project)
    if own is not None:
        return run_function(frame, node, Function(own, bound=callee, owner=own.cls), args, keywords)
    return call_module_itself(frame, node, callee, args, keywords)


def call_module_itself(
    frame: Frame, node: ast.AST, callee: Instance, args: list[Value], keywords: dict[str, Value]
) -> Value:
    """`torch.nn.Module.__call__`: `forward`, with the hooks around it."""
    called = _call_hooked if callee.hooks and frame.traced else _call_instance
    return called(frame, node, callee, args, keywords)


def _call_hooked(frame: Frame, node: ast.AST, callee: Instance, args: list[Value], keywords: dict[str, Value]) -> Value:
    """A module with the hooks around it: what one returns takes the place of the arguments, or of the result."""
    for name, hook, options in callee.hooks:
        if name == "register_forward_pre_hook":
            given: list[Value] = [callee, Sequence("tuple", list(args))]
            if "with_kwargs" in options:
                given.append(Mapping(dict(keywords)))
            changed = call(frame, node, hook, given, {})
            if type(changed) is Sequence and changed.items is not None and "with_kwargs" not in options:
                args = list(changed.items)
            elif type(changed) is Tensor:
                args = [changed]
    result = _call_instance(frame, node, callee, args, keywords)
    for name, hook, options in callee.hooks:
        if name == "register_forward_hook":
            more: list[Value] = [Mapping(dict(keywords))] if "with_kwargs" in options else []
            changed = call(frame, node, hook, [callee, Sequence("tuple", list(args)), *more, result], {})
            if not is_none(changed) and changed is not TOP:
                result = changed
    return result


def _call_instance(
    frame: Frame, node: ast.AST, callee: Instance, args: list[Value], keywords: dict[str, Value]
) -> Value:
    if assigned := assigned_forward(callee):
        return join_all([call(frame, node, function, args, keywords) for function in assigned])
    if callee.cls is not None:
        method = callee.cls.find("forward", frame.run.project)
        if method is not None:
            if replaces_forward(frame.run, callee.cls):
                return call_unknown(frame, node, args, keywords)
            return run_function(frame, node, Function(method, bound=callee, owner=method.cls), args, keywords)
    if callee.external.startswith("torch.nn.") or callee.elements is not None:
        keywords = {name: value for name, value in keywords.items() if name != "*"}
        return call_module(frame, node, callee, args, keywords)
    if is_distribution(callee):
        return call_distribution_method(frame, node, callee, "__call__", args, keywords)
    if is_einops_layer(callee):
        return call_einops_layer(frame, node, callee, args)
    if is_transform(callee):
        return call_transform(frame, node, args, keywords)
    if is_random_transform(callee):
        return call_random_transform(frame, node, callee, args)
    if _is_scripted(callee):
        frame.emit_call(node, f"{callee.external}()", args, keywords)
        inputs = [t for a in args for t in tensors(a)]
        return Tensor(FRESH, evidence=max(Evidence.DERIVED, min(t.evidence for t in inputs))) if inputs else TOP
    return call_unknown(frame, node, args, keywords)


def assigned_forward(module: Instance) -> list[Function]:
    """The functions that a constructor puts in the place of `forward`: `self.forward = self.forward_test`."""
    return [c for c in choices(module.attributes.get("forward", NONE)) if type(c) is Function]


def has_own_call(run: AnalysisState, module: Instance) -> bool:
    """Whether more than `forward` runs where a module is called: hooks that its constructor registers, or its `__call__`."""
    return bool(module.hooks) or (module.cls is not None and module.cls.find("__call__", run.project) is not None)


@calls(Function)
def run_function(
    frame: Frame, node: ast.AST, function: Function, args: list[Value], keywords: dict[str, Value]
) -> Value:
    """Run a function of the project on abstract arguments, or recall what it gave on the same before."""
    info = function.info
    run = frame.run
    decorators = info.decorators
    for decorator in decorators:
        if is_one_of(decorator, _OPAQUE):
            if is_one_of(decorator, ("custom_op",)):
                frame.emit(OperatorCalled(frame.site(node), info.name, info))
            return _opaque(frame, info)
        if is_one_of(decorator, ("singledispatch", "singledispatchmethod")):
            frame.emit_call(node, "functools.singledispatch", args)
            return TOP  # which function is registered for the class of the argument is not looked for
        if decorator in _CACHING:
            for value in (*args, *keywords.values()):
                ask_for_hash(frame, node, value, "cached")
    if decorators and (disabling := disabled(run, info)) is not None:
        frame.emit_call(node, name_of_disabling(disabling), args)
    if isinstance(info.node, ast.AsyncFunctionDef):
        return TOP
    if decorators and function.closure is None and not _is_entry(run, function):
        mark = ("wrapped", id(info))
        if mark in run.active:
            function, args = _as_method(function, args)
        elif (wrapper := wrapper_of(run, info)) is not None:
            result = _run_wrapper(frame, node, wrapper, function, args, keywords)
            if result is not TOP:
                return result
    bound = [function.bound, *args] if function.bound is not None else args
    env = bind(frame, info, function, bound, keywords)
    check_types(frame, node, info, env)
    if run.depth >= MAX_CALLS_DEEP:
        frame.emit(BoundHit(frame.site(node), "calls"))
        return TOP
    if function.bound is not None and info.name == "forward" and type(function.bound) is Instance and frame.traced:
        given = dict(env)
        frame.summary.call_contexts.append((info, given))
        record_context(frame.run, info, given)
    if function.closure is not None and id(function.closure) not in run.settled:
        # What a closure sees may change between calls: it is run anew each time.
        if ("closure", id(info)) in run.active:
            return TOP
        runs = run.closures[id(info)] = run.closures.get(id(info), 0) + 1
        if runs > MAX_CLOSURE_RUNS:
            if runs == MAX_CLOSURE_RUNS + 1:
                frame.emit(BoundHit(frame.site(node), "runs"))
            return TOP
        run.active.add(("closure", id(info)))
        try:
            summary = _run(frame, info, function, env)
        finally:
            run.active.discard(("closure", id(info)))
        _note_call(frame, node, summary)
        return summary.result
    idle = run.idle
    if idle is not None and idle.node is node and not frame.traced:
        values = [*args, *keywords.values()]
        if postponed(frame, info, function.bound, values, lambda: run_function(frame, node, function, args, keywords)):
            return TOP
    if not frame.traced and info.returned_parameter and type(returned := env[info.returned_parameter]) is Function:
        # A decorator that documents, or lists, what it is given: nobody waits for what else it does.
        run.idle = Idle(node)
        try:
            if postponed(frame, info, function.bound, env.values(), lambda: _recall(frame, node, function, env)):
                return returned
        finally:
            run.idle = idle
    return _recall(frame, node, function, env)


def _recall(frame: Frame, node: ast.AST, function: Function, env: Environment) -> Value:
    """What a function gave on the same values before, or gives when it is run on them."""
    info, run = function.info, frame.run
    key = _key(frame, info, env, function.closure)
    summary = run.summaries.get(key)
    if summary is not None and summary.reads:
        if run.heap and not summary.reads.isdisjoint(run.heap):
            summary = None  # this entry wrote what the function read
        else:
            run.read |= summary.reads
    known = run.contexts.setdefault(id(info), [])
    most = MAX_CONTEXTS_SMALL if _is_small(info) else MAX_CONTEXTS
    if summary is not None and summary.visit != run.visit:
        if len(known) >= most:
            summary = None
        else:
            known.append(summary)
            revisit(run, summary)
    if summary is None:
        if key in run.active:
            return TOP
        if len(known) >= most:
            for other in known[:1]:
                _note_call(frame, node, other)
            return _common([_as_called(other, env) for other in known])
        run.active.add(key)
        try:
            summary = _run_bounded(frame, info, function, env)
        finally:
            run.active.discard(key)
        if summary.pure:
            run.summaries[key] = summary
            known.append(summary)
    _note_call(frame, node, summary)
    return _as_called(summary, env)


def _as_called(summary: Summary, env: Environment) -> Value:
    """The result of a function, of a shape that is made of the shapes of what the call gave."""
    result = summary.result
    if type(result) is not Tensor or result.shape in (None, ("dims", ())):
        return result
    names: dict[Hashable, Hashable] = {}
    for name, before in zip(summary.names, summary.values, strict=True):
        now = env.get(name)
        if type(before) is not Tensor or type(now) is not Tensor or before.shape is None:
            continue
        if names.setdefault(before.shape, now.shape) != now.shape:
            names[before.shape] = None  # of one shape then, of two now
    shape = renamed(result.shape, names)
    return result if shape == result.shape else result.changed(shape=shape)


def _run_wrapper(
    frame: Frame, node: ast.AST, wrapper: Function, function: Function, args: list[Value], keywords: dict[str, Value]
) -> Value:
    """Call what the decorators of a function made of it; nothing is known of the result where that is not followed."""
    run = frame.run
    if run.closures.get(id(wrapper.info), 0) >= MAX_CLOSURE_RUNS:
        return TOP
    mark = ("wrapped", id(function.info))
    run.active.add(mark)
    try:
        given = args if function.bound is None else [function.bound, *args]
        return run_function(frame, node, wrapper, given, keywords)
    finally:
        run.active.discard(mark)


def _is_entry(run: AnalysisState, function: Function) -> bool:
    """Whether a method is a `forward` that is an entry itself: what its decorators do is found there, once, and not by each of
    its callers."""
    if function.info.name != "forward" or function.bound is None:
        return False
    return not run.project.is_of_package(function.info.module.filename)


def _as_method(function: Function, args: list[Value]) -> tuple[Function, list[Value]]:
    """A method that its decorator calls, as `method(self, …)`: the same call on the object itself."""
    if function.bound is None and function.owner is not None and args and type(args[0]) is Instance:
        return Function(function.info, bound=args[0], owner=function.owner), args[1:]
    return function, args


def _key(frame: Frame, info: FunctionInfo, env: Environment, closure: object = None) -> Hashable:
    """What tells the runs of a function apart; of a function inside a function, `closure` is the frame it was made in."""
    run = frame.run
    given = tuple([(name, value.key()) for name, value in env.items()])
    return (
        id(info),
        id(closure),
        frame.traced,
        frame.training > 0,
        run.training,
        run.no_grad > 0,
        run.mapped > 0,
        run.autocast > 0,
        run.dynamic_key,
        given,
    )


def _is_small(info: FunctionInfo) -> bool:
    return isinstance(info.node, ast.Lambda) or len(info.node.body) <= SMALL


def _common(results: list[Value]) -> Value:
    """What calls gave that were told apart, for one that is not: no more than what all of them say."""
    first = results[0]
    kind = type(first)
    if all(other.key() == first.key() for other in results):
        return join_all(results) if kind is Tensor else first
    if any(type(other) is not kind for other in results):
        return TOP
    result = join_all(results)
    if type(result) is Tensor and result.unbacked and not all(t.unbacked for t in results):  # type: ignore[attr-defined]
        return result.changed(unbacked=False, site=None, dims=None)
    if type(result) is Sequence and result.type == "tuple" and result.items is not None:
        columns = zip(*[other.items for other in results], strict=True)  # type: ignore[attr-defined]
        return Sequence("tuple", [_common(list(column)) for column in columns])
    return TOP if type(result) is Union else result


def enter_function(frame: Frame, function: Function, parameters: dict[str, Value]) -> Value:
    """Run an entry on the values of its parameters; the receiver of a method is `function.bound`."""
    info = function.info
    env = Environment()
    names = [*info.node.args.posonlyargs, *info.node.args.args]
    if function.bound is not None and names:
        env[names[0].arg] = function.bound
    env.update(parameters)
    key = _key(frame, info, env)
    run = frame.run
    summary = run.summaries.get(key)
    if summary is not None and summary.visit != run.visit:
        revisit(run, summary)
    if summary is None:
        run.active.add(key)
        summary = _run(frame, info, function, env)
        run.active.discard(key)
        if summary.pure:
            run.summaries[key] = summary
    frame.summary.calls.append((frame.site(info.node), summary))
    frame.summary.certain_calls.append(summary)
    if (disabling := disabled(run, info)) is not None:
        frame.emit_call(disabling, f"{name_of_disabling(disabling)} of an entry", [])
    wrapper = wrapper_of(run, info)
    if wrapper is None:
        return summary.result
    # What the function does was seen above, on its parameters; now what its decorators do around it.
    known = run.wrapped.get(key)
    if known is None:
        known = run.wrapped[key] = _wrap_entry(frame, function, wrapper, env)
    else:
        _note_call(frame, info.node, known.summary)
        if known.summary.visit != run.visit:
            revisit(run, known.summary)
        run.heap, run.read = {**known.heap}, {*known.read}
    return summary.result if is_unknown(known.result) else known.result


def _wrap_entry(frame: Frame, function: Function, wrapper: Function, env: Environment) -> Wrapped:
    """Run what the decorators of an entry made of it on the values of its parameters."""
    info, run = function.info, frame.run
    run.begin_call()
    around = Frame(run, info.module, None)
    around.summary.visit = run.visit
    _note_call(frame, info.node, around.summary)  # what is seen is seen, also where it comes to no end
    spec = info.node.args
    given = [env[arg.arg] for arg in (*spec.posonlyargs, *spec.args) if arg.arg in env]
    named = {arg.arg: env[arg.arg] for arg in spec.kwonlyargs if arg.arg in env}
    result = _run_wrapper(around, info.node, wrapper, Function(info, owner=function.owner), given, named)
    return Wrapped(around.summary, result, {**run.heap}, {*run.read})


def _note_call(frame: Frame, node: ast.AST, summary: Summary) -> None:
    if frame.traced:
        frame.summary.calls.append((frame.site(node), summary))
        if not frame.optional:
            frame.summary.certain_calls.append(summary)
        elif not frame.branched:
            frame.summary.looped_calls.append(summary)
    if not summary.pure:
        frame.summary.pure = False
    if summary.reads:
        frame.summary.reads |= summary.reads


def revisit(run: AnalysisState, summary: Summary) -> None:
    """Count a summary that an earlier check of the file made as if it had been made now."""
    summary.visit = run.visit
    for info, env in summary.call_contexts:
        record_context(run, info, env)
    for _, inner in summary.calls:
        if inner.visit != run.visit:
            if inner.pure and inner.function is not None:
                run.contexts.setdefault(id(inner.function), []).append(inner)
            revisit(run, inner)


def record_context(run: AnalysisState, info: FunctionInfo, env: dict[str, Value]) -> None:
    """Remember with what a `forward` was called, for the time when it is an entry itself."""
    run.observed.setdefault(id(info), []).append(env)
    receiver = next(iter(env.values()), None)
    mode = run.in_training(receiver) if type(receiver) is Instance else None
    run.modes.setdefault(id(info), set()).add(bool(mode.value) if type(mode) is Const else None)


def _opaque(frame: Frame, info: FunctionInfo) -> Value:
    """What a function that is not traced into is annotated to return."""
    returns = None if isinstance(info.node, ast.Lambda) else info.node.returns
    if returns is None:
        return TOP
    return of_annotation(frame.run, info.module, returns, FRESH) or TOP


def bind(
    frame: Frame, info: FunctionInfo, function: Function, args: list[Value], keywords: dict[str, Value]
) -> Environment:
    """The environment in which a function's body starts."""
    spec = info.node.args
    names = [*spec.posonlyargs, *spec.args]
    env = Environment()
    rest, more = keywords.get("**"), keywords.get("*")
    for i, arg in enumerate(names):
        name = arg.arg
        if i < len(args):
            env[name] = args[i]
        elif name in keywords:
            env[name] = keywords[name]
        elif rest is not None:
            env[name] = rest
        else:
            position = i - (len(names) - len(spec.defaults))
            default = default_value(frame, info, function, spec.defaults[position]) if position >= 0 else None
            given = more if more is not None and more is not TOP else None
            if default is not None and arg.annotation is not None:
                said = promised(frame.run, info, arg.annotation)
                given = None if type(said) is Static else given  # a number that was not meant
            env[name] = join_all([value for value in (given, default) if value is not None])
    for arg, default in zip(spec.kwonlyargs, spec.kw_defaults, strict=True):
        name = arg.arg
        if name in keywords:
            env[name] = keywords[name]
        elif rest is not None or default is None:
            env[name] = rest or TOP
        else:
            env[name] = default_value(frame, info, function, default)
    for arg in (*names, *spec.kwonlyargs):
        if arg.annotation is None:
            continue
        if is_unknown(env[arg.arg]):
            env[arg.arg] = _told(frame.run, info, arg.annotation, env[arg.arg])
        elif any(is_assumed(choice) for choice in choices(env[arg.arg])):
            env[arg.arg] = _as_annotated(env[arg.arg], promised(frame.run, info, arg.annotation))
    if frame.traced and info.name == "forward":
        required = names[: len(names) - len(spec.defaults)]
        for arg in required:
            if is_unknown(env[arg.arg]) and arg.annotation is None and arg.arg in _tensors_by_use(frame.run, info):
                # As where it is an entry itself: what it is given comes out of code that is not in sight.
                env[arg.arg] = Tensor(ANYWHERE, alias=True, evidence=Evidence.DERIVED)
    if spec.vararg is not None:
        others = args[len(names) :]
        several = (
            Sequence("tuple", list(others)) if more is None else Sequence("tuple", None, join_all([*others, more]))
        )
        env[spec.vararg.arg] = several
    if spec.kwarg is not None:
        taken = {"*", "**", *(a.arg for a in (*names, *spec.kwonlyargs))}
        extra = {k: v for k, v in keywords.items() if k not in taken}
        env[spec.kwarg.arg] = Mapping(dict(extra), rest)
    return env


def _as_annotated(given: Value, said: Value) -> Value:
    """What convention alone took for a tensor is the number, or the tuple or list of such, that the function which is given
    it says it is."""
    if not all(_is_plain(choice) for choice in choices(said)):
        return given
    return join_all([said if is_assumed(choice) else choice for choice in choices(given)])


def _is_plain(value: Value) -> bool:
    """Whether a value is a number, a text, or a tuple or list of such."""
    if type(value) is Sequence:
        parts = value.items if value.items is not None else [value.element or TOP]
        return all(_is_plain(part) for whole in parts for part in choices(whole))
    return type(value) in (Static, Const)


def _tensors_by_use(run: AnalysisState, info: FunctionInfo) -> frozenset[str]:
    """The names that a function asks for what tensors have."""
    known = run.used_as_tensors.get(id(info))
    if known is not None:
        return known[1]
    read = [node for node in ast.walk(info.node) if isinstance(node, ast.Attribute) and node.attr in _OF_TENSORS]
    found = frozenset([node.value.id for node in read if isinstance(node.value, ast.Name)])
    # The function is kept too: an id is only good for as long as its object lives.
    run.used_as_tensors[id(info)] = (info, found)
    return found


def promised(run: AnalysisState, info: FunctionInfo, annotation: ast.expr) -> Value:
    """What an annotation says of a value that nothing else is known of: as much as its author believed."""
    known = run.annotated.get(id(annotation))
    if known is not None:
        return known[1]
    value = of_annotation(run, info.module, annotation, ANYWHERE)
    if type(value) is Union:
        value = Union(tuple([_believed(choice) for choice in value.choices]))
    found = TOP if value is None else _believed(value)
    run.annotated[id(annotation)] = (annotation, found)
    return found


def _told(run: AnalysisState, info: FunctionInfo, annotation: ast.expr, unknown: Value) -> Value:
    """What an annotation says of a value; what was taken for it before, where it says nothing."""
    said = promised(run, info, annotation)
    return unknown if said is TOP else said


def _believed(value: Value) -> Value:
    return value.changed(evidence=Evidence.DERIVED) if type(value) is Tensor else value


def default_value(frame: Frame, info: FunctionInfo, function: Function, node: ast.expr) -> Value:
    """A parameter's default: evaluated once, when the function is defined."""
    if node.__class__ is ast.Constant:
        return evaluate(frame, node)
    outer = function.closure if isinstance(function.closure, Frame) else None
    inner = Frame(frame.run, info.module, None, outer)
    inner.traced = False
    return evaluate(inner, node)


def _run_bounded(frame: Frame, info: FunctionInfo, function: Function, env: Environment) -> Summary:
    """Run a function; for one of a library that knows nothing of torch, before tracing, with a share of the steps."""
    run = frame.run
    if frame.traced or run.fuel <= MAX_STEPS_OF_LIBRARY or not info.module.file.is_plain_library:
        return _run(frame, info, function, env)
    rest, run.fuel = run.fuel - MAX_STEPS_OF_LIBRARY, MAX_STEPS_OF_LIBRARY
    try:
        return _run(frame, info, function, env)
    except FuelExhausted:
        return Summary(info)
    finally:
        run.fuel = rest + max(run.fuel, 0)


def _run(frame: Frame, info: FunctionInfo, function: Function, env: Environment) -> Summary:
    run = frame.run
    outer = function.closure if isinstance(function.closure, Frame) else None
    inner = Frame(run, info.module, info, outer, env)
    inner.traced = frame.traced
    inner.always = frame.always and not frame.optional
    inner.training = int(frame.training > 0)
    inner.cls = function.owner if function.owner is not None else info.cls
    inner.self_value = function.bound
    inner.summary.names, inner.summary.values = tuple(env), tuple(env.values())
    rest = info.node.args.kwarg
    if rest is not None and rest.arg in env:
        # The function itself may change it.
        inner.summary.values = tuple([copied(v) if name == rest.arg else v for name, v in env.items()])
    inner.summary.receiver, inner.summary.owner = function.bound, inner.cls
    inner.summary.visit, inner.summary.entry = run.visit, run.entry
    if not frame.traced:
        run.untraced.add(id(info))
    if inner.values is not None:
        spec = info.node.args
        for arg in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs):
            record(inner.values, arg, env.get(arg.arg, TOP))
    run.depth += 1
    quiet = any(is_one_of(decorator, NO_GRAD) for decorator in info.decorators)
    run.no_grad += quiet
    try:
        run_body(inner, info)
    except (FuelExhausted, RecursionError):
        # What was seen so far was seen.
        frame.summary.calls.append((frame.site(info.node), inner.summary))
        raise
    finally:
        run.depth -= 1
        run.no_grad -= quiet
    return inner.summary


def run_again(run: AnalysisState, summary: Summary) -> Summary | None:
    """Run the function of a summary once more on the same values; None if that came to no end."""
    info = summary.function
    assert info is not None
    frame = Frame(run, info.module, None)
    run.begin_call()
    run.depth, run.fuel = 1, MAX_STEPS
    run.active.clear()
    function = Function(info, bound=summary.receiver, owner=summary.owner)
    rest = "" if info.node.args.kwarg is None else info.node.args.kwarg.arg
    given = zip(summary.names, summary.values, strict=True)
    # It makes its objects anew: what was done to the others since may not be done again.
    made = {key: one for key, one in run.instances.items() if one.maker is info}
    counted, entry = {**run.constructions}, run.entry
    for key in made:
        del run.instances[key]
    run.entry = summary.entry
    try:
        return _run(frame, info, function, Environment((n, copied(v) if n == rest else v) for n, v in given))
    except (FuelExhausted, RecursionError):
        return None
    finally:
        run.instances.update(made)
        run.constructions, run.entry = counted, entry


def run_body(frame: Frame, info: FunctionInfo) -> None:
    """Run a function's body in its frame and leave the result in the frame's summary."""
    node = info.node
    if isinstance(node, ast.Lambda):
        frame.summary.result = evaluate(frame, node.body)
        return
    try:
        execute(frame, node.body)
    except FuelExhausted as limit:
        if limit.frame is not frame:
            raise
        frame.emit(BoundHit(frame.site(node), "steps"))
        return
    if info.generator:
        frame.summary.result = Sequence("generator", None, frame.yields or TOP)
        return
    result = frame.returns
    if result is not None and is_unknown(result) and node.returns is not None:
        result = _told(frame.run, info, node.returns, result)
    if result is None:
        frame.summary.raises = frame.unreachable
        result = NONE
    elif not frame.unreachable:
        result = join(result, NONE) if not _ends(node.body) else result
    if frame.outer is None and (info.name != "forward" or frame.run.depth > 1):
        result = _anonymous(result)
    if frame.summary.reads_is_compiling and _is_flag(result) and len(node.body) <= 8:
        # is_compiling() of a project: whatever else it looks at (is torch there? how old is it?), the answer is yes.
        result = TRUE
    frame.summary.result = result


def _is_flag(value: Value) -> bool:
    return all(
        (type(c) is Const and isinstance(c.value, bool)) or (type(c) is Static and c.type == "bool")
        for c in choices(value)
    )


def _ends(body: list[ast.stmt]) -> bool:
    return bool(body) and isinstance(body[-1], (ast.Return, ast.Raise))


def _anonymous(value: Value) -> Value:
    """A result without the tokens that tell equal dtypes: a summary is shared between calls."""
    if type(value) is not Tensor or value.dtype is None or isinstance(value.dtype, str):
        return value
    return value.changed(dtype=None)
