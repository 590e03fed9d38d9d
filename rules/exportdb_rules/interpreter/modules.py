"""Modules of torch.nn: containers, what calling one returns, and the methods that every module has."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from exportdb_rules.facts import Built, Converted, SizedCall, TruthForm, TruthTested
from exportdb_rules.interpreter import ranks
from exportdb_rules.interpreter.attributes import keep_of_call
from exportdb_rules.interpreter.autocast import note_lowered
from exportdb_rules.interpreter.dimensions import as_large_as, number_of
from exportdb_rules.interpreter.dispatch import FORWARD_HOOKS, call
from exportdb_rules.interpreter.gradients import note_kept, note_required
from exportdb_rules.interpreter.guards import has_unbacked_size
from exportdb_rules.interpreter.iteration import dimension
from exportdb_rules.interpreter.layer_options import option
from exportdb_rules.interpreter.layers import (
    ask_of_layer,
    attend,
    attends_over_steps,
    check_recurrent,
    recurrent_sizes,
    sizes_behind,
)
from exportdb_rules.interpreter.packed_sequences import is_packed, read_batch_sizes
from exportdb_rules.interpreter.shape_rules import groups_are_odd
from exportdb_rules.interpreter.shape_tokens import made_of, what_is
from exportdb_rules.interpreter.submodules import SEQUENTIAL, children, every, extend, insert, listed, put
from exportdb_rules.interpreter.tensors import of_codes
from exportdb_rules.interpreter.weights import argument, has_weights
from exportdb_rules.lattice import Mapping, Sequence, choices, contained, is_none, is_true, join_all, tensors
from exportdb_rules.project import dotted, own_statements
from exportdb_rules.torch_api import LIKE_INPUT, Api, lookup
from exportdb_rules.values import (
    BUFFER,
    FRESH,
    NONE,
    PARAMETER,
    STATIC_BOOL,
    STATIC_INT,
    STATIC_STR,
    TOP,
    Const,
    Evidence,
    External,
    Instance,
    Static,
    Sym,
    Tensor,
    Value,
)

if TYPE_CHECKING:
    from exportdb_rules.definitions import FunctionInfo
    from exportdb_rules.interpreter.machine import Frame

# Layers that are traced step by step.
_RECURRENT = frozenset({"torch.nn.RNN", "torch.nn.LSTM", "torch.nn.GRU"})
_LISTS = frozenset({"torch.nn.ModuleList", SEQUENTIAL, "torch.nn.ParameterList"})
_DICTS = frozenset({"torch.nn.ModuleDict", "torch.nn.ParameterDict"})
# Hooks of one module that are followed.
MAX_HOOKS = 4
# Methods of every module that return it.
GIVING_THEMSELVES = frozenset(
    {"to", "cuda", "cpu", "half", "float", "double", "bfloat16", "type", "train", "eval", "requires_grad_", "apply"}
)


def construct_module(frame: Frame, name: str, args: list[Value], keywords: dict[str, Value], where: object) -> Instance:
    """`torch.nn.X(…)`. `where` tells apart the places at which modules are made."""
    instance = Instance(None, name, identity=("torch", name, where), state=True)
    take_arguments(frame, instance, args, keywords)
    return instance


def take_arguments(frame: Frame, instance: Instance, args: list[Value], keywords: dict[str, Value]) -> None:
    """What the constructor of a module of torch's own is given: a container's are its elements."""
    external = instance.external
    instance.given = {**dict(enumerate(args)), **keywords}
    if external == SEQUENTIAL:
        if len(args) == 1 and type(args[0]) is Mapping:
            instance.elements = Sequence("list", list(args[0].items.values()))
        else:
            instance.elements = Sequence("list", list(args), depth=frame.depth)
    elif external in _LISTS:
        instance.elements = _as_list(args[0] if args else keywords.get("modules"), frame)
    elif external in _DICTS:
        given = args[0] if args else keywords.get("modules")
        if type(given) is Mapping:
            instance.elements = Mapping(given.items, given.element)
        else:
            instance.elements = Mapping({}, None if given is None else TOP)


def _as_list(given: Value | None, frame: Frame) -> Sequence:
    if given is None or is_none(given):
        return Sequence("list", [], depth=frame.depth)
    if type(given) is Sequence:
        return Sequence("list", None if given.items is None else list(given.items), given.element, depth=frame.depth)
    return Sequence("list", None, TOP)


# The masks that a module compares with a causal one unless it is told, by position and name; and what tells it.
_MASKS: Final[dict[str, tuple[tuple[int, str, int, TruthForm], ...]]] = {
    "TransformerEncoder": ((1, "mask", 3, "is_causal"),),
    "TransformerDecoder": ((2, "tgt_mask", 6, "tgt_is_causal"),),
    "Transformer": ((2, "src_mask", 8, "src_is_causal"), (3, "tgt_mask", 9, "tgt_is_causal")),
}


def causal_mask(frame: Frame, node: ast.AST, args: list[Value], keywords: dict[str, Value]) -> Value:
    """`nn.Transformer.generate_square_subsequent_mask(n)`: a tensor [n, n]."""
    size = args[0] if args else keywords.get("sz", TOP)
    return call(frame, node, External("torch.ones"), [size, size], {})


def _compare_masks(
    frame: Frame, node: ast.AST, module: Instance, args: list[Value], keywords: dict[str, Value]
) -> None:
    """`torch.nn.modules.transformer._detect_is_causal_mask`: a mask of two dimensions is compared with a causal one."""
    for position, name, told_at, told in _MASKS.get(module.external.rpartition(".")[2], ()):
        says = args[told_at] if len(args) > told_at else keywords.get(told, NONE)
        given = args[position] if len(args) > position else keywords.get(name, NONE)
        for mask in tensors(given):
            if is_none(says) and mask.rank in (2, None):
                if given is not mask:  # the caller may leave it out
                    mask = mask.changed(evidence=min(Evidence.DERIVED, mask.evidence))
                frame.emit(TruthTested(frame.site(node), mask, told, node))
                return


def call_module(frame: Frame, node: ast.AST, module: Instance, args: list[Value], keywords: dict[str, Value]) -> Value:
    """`module(…)` of a module of torch.nn."""
    name = module.external
    if module.elements is not None and name == SEQUENTIAL:
        return _call_sequential(frame, node, module, args)
    api = lookup(name)
    if api is None:
        return TOP
    inputs = [tensor for given in (*args, *keywords.values()) for tensor in tensors(given)]
    result = _call_layer(frame, node, module, api, inputs, args, keywords)
    learned = has_weights(module)
    if api.returns != ["="]:
        note_required(frame, name, result, inputs, learned=learned)
    return result


def _call_layer(
    frame: Frame,
    node: ast.AST,
    module: Instance,
    api: Api,
    inputs: list[Tensor],
    args: list[Value],
    keywords: dict[str, Value],
) -> Value:
    name = module.external
    first = next(iter(tensors(args[0])), None) if args else None
    short = name.rpartition(".")[2]
    if api.returns == ["="]:
        return args[0] if args else TOP
    if short in _MASKS:
        _compare_masks(frame, node, module, args, keywords)
    loose = next((t for t in inputs if t.unbacked), None)
    queries = () if loose is None else inputs[:3]
    attended = next((t for t in queries if t.unbacked and attends_over_steps(module, t, keywords)), None)
    if attended is not None:
        site, name_of_call = frame.site(node), "torch.nn.functional.scaled_dot_product_attention"
        frame.emit(SizedCall(site, name_of_call, attended.changed(rank=4, axis=2)))
    if short == "MultiheadAttention":
        if frame.run.learns_ranks:
            ranks.of_layer(frame, node, short, inputs, TOP)
        if first is not None:
            ask_of_layer(frame, module, first)
        attend(frame, node, module, args, keywords)
        return _attention(frame, node, inputs, keywords)
    declared = next((t for t in inputs if not t.unbacked and has_unbacked_size(frame, t)), None)
    if declared is not None:
        frame.emit(SizedCall(frame.site(node), name, declared))
    if loose is not None and (
        short != "GroupNorm"
        or groups_are_odd(channels=argument(module, 1, "num_channels"), groups=argument(module, 0, "num_groups"))
    ):
        # Models are exported in eval mode, as a rule: no more than a possible finding rests on what training asks.
        loose = loose.changed(evidence=Evidence.ASSUMED, param=None) if frame.training else loose
        steps_first = not is_true(option(module, "batch_first"))
        along = name in _RECURRENT and (loose.rank == 2 or (loose.axis == 0) is steps_first)
        frame.emit(SizedCall(frame.site(node), name, loose, along))
    frame.emit_call(node, name, args, keywords)
    if name in _RECURRENT and args and is_packed(args[0]):
        read_batch_sizes(frame, node, args[0])
        return Sequence("tuple", [args[0], TOP])
    if name in _RECURRENT and first is not None:
        _check_steps(frame, node, module, first)
        check_recurrent(frame, node, module, args, keywords)
        known = _recurrent(module, short, first)
        if known is not None:
            return known
    result = of_codes(frame, node, api, inputs)
    if name in _RECURRENT or short == "LSTMCell":
        _go_on(result, args[1] if len(args) > 1 else keywords.get("hx", NONE))
    if first is not None:
        ask_of_layer(frame, module, first)
    if frame.run.learns_ranks:
        ranks.of_layer(frame, node, short, inputs, result)
    dims = sizes_behind(frame, node, module, args, keywords)
    if short == "LSTMCell" and first is not None and first.dims and type(result) is Sequence and result.items:
        size = number_of(argument(module, 1, "hidden_size"))
        states = (*first.dims[:-1], STATIC_INT if size is None else Static("int", size))
        result = Sequence(
            "tuple", [part.changed(dims=states, rank=len(states)) for part in result.items if type(part) is Tensor]
        )
    if type(result) is Tensor and first is not None:
        if short in LIKE_INPUT:
            as_large_as(result, first)
            result.dtype = first.dtype
        else:
            result.moves = 0
        if short not in LIKE_INPUT and first.shape is not None:
            # A module does the same to every tensor of one shape, and so does another that is made alike.
            made = made_of(module)
            result.shape = ("module", module.key() if made is None else made, first.shape, short)
            before, size = (what_is(argument(module, *one)) for one in ((0, "in_features"), (1, "out_features")))
            if short == "Linear" and before is not None and before == size:
                result.shape = first.shape
            elif short in ("GRUCell", "RNNCell") and len(inputs) > 1:
                result.shape = inputs[1].shape
            result.dtype = first.dtype if not short.startswith("Embedding") else ("module", module.key(), first.dtype)
            result.rank = first.rank if short == "Linear" else result.rank
        if dims is not None and not result.unbacked:
            result.dims, result.rank = dims, len(dims)
    note_lowered(frame, short, result)
    note_kept(frame, short, result)
    return result


def _check_steps(frame: Frame, node: ast.AST, layer: Instance, sequence: Tensor) -> None:
    """A recurrent layer over a dynamic number of steps (case `recurrent_over_time`)."""
    batch_first = option(layer, "batch_first")
    if type(batch_first) is not Const or (sequence.dims is not None and len(sequence.dims) not in (2, 3)):
        return
    batched = bool(batch_first.value) and (sequence.dims is None or len(sequence.dims) == 3)
    steps = dimension(frame, sequence, 1 if batched else 0)
    if type(steps) is Sym and steps.backed:
        frame.emit(Converted(frame.site(node), "recurrent", steps))


def _recurrent(layer: Instance, short: str, sequence: Tensor) -> Value | None:
    """What a recurrent layer makes of a sequence whose sizes are known: its states at each step, and the last ones."""
    sizes = None if sequence.dims is None or sequence.unbacked else recurrent_sizes(layer, short, sequence.dims)
    if sizes is None:
        return None
    evidence = max(Evidence.DERIVED, sequence.evidence)

    def made(sizes: tuple[Value, ...]) -> Tensor:
        return Tensor(FRESH, dims=sizes, rank=len(sizes), evidence=evidence)

    steps, last = map(made, sizes)
    return Sequence("tuple", [steps, Sequence("tuple", [last, made(sizes[1])]) if short == "LSTM" else last])


def _go_on(result: Value, given: Value) -> None:
    """The last states of a recurrent layer or cell are as large as the first ones that it is given."""
    if type(result) is Sequence and result.items is not None and len(result.items) == 2:
        last = result if type(result.items[1]) is Tensor and type(given) is Sequence else result.items[1]
        before, after = (value.items or [] if type(value) is Sequence else [value] for value in (given, last))
        for old, new in zip(before, after, strict=False):
            if type(old) is Tensor and type(new) is Tensor:
                as_large_as(new, old)
                new.dtype = old.dtype


def _attention(frame: Frame, node: ast.AST, inputs: list[Tensor], keywords: dict[str, Value]) -> Value:
    api = lookup("torch.nn.Linear")
    assert api is not None
    output = of_codes(frame, node, api, inputs[:1])  # as long as the queries are; masks have sizes of their own
    if type(output) is Tensor and inputs and not output.unbacked:
        as_large_as(output, inputs[0])
    weights = of_codes(frame, node, api, inputs)
    needed = keywords.get("need_weights")
    if type(needed) is Const and needed.value is False:
        weights = NONE
    return Sequence("tuple", [output, weights])


def _call_sequential(frame: Frame, node: ast.AST, module: Instance, args: list[Value]) -> Value:
    elements = module.elements
    assert elements is not None
    value: Value = args[0] if args else TOP
    if isinstance(elements, Sequence) and elements.items is not None:
        for element in elements.items:
            value = call(frame, node, element, [value], {})
        return value
    element = elements.any()
    if element is TOP:
        return TOP
    once = call(frame, node, element, [value], {})
    # Any number of them in a row: another round with what the first gave settles it.
    return join_all([once, call(frame, node, element, [once], {})])


def call_module_method(
    frame: Frame, node: ast.AST, module: Instance, name: str, args: list[Value], keywords: dict[str, Value]
) -> Value:
    """A method that `torch.nn.Module`, or a container, brings along."""
    if name == "register_buffer":
        if (
            frame.traced
            and not module.building
            and _begins_unset(module, args[0] if args else keywords.get("name", TOP))
        ):
            frame.emit(Built(frame.site(node), "torch.nn.Module.register_buffer", module))
        if type(key := args[0] if args else keywords.get("name")) is Const and _is_given_parameter(frame, node, module):
            module.parameters_as_buffers |= {str(key.value)}
        return _register(frame, module, args, keywords, BUFFER)
    if name == "register_parameter":
        return _register(frame, module, args, keywords, PARAMETER)
    if name in ("add_module", "register_module"):
        key = args[0] if args else keywords.get("name")
        value = args[1] if len(args) > 1 else keywords.get("module", TOP)
        if type(key) is Const:
            module.attributes[str(key.value)] = value
        else:
            module.open = True
        put(frame, module, value)
        return NONE
    if name in ("children", "named_children"):
        return listed(frame.run, module, named=name != "children")
    if name in ("modules", "named_modules") and frame.traced and not (args or keywords):
        return every(frame.run, module, named=name != "modules")
    if name == "generate_square_subsequent_mask":
        return causal_mask(frame, node, args, keywords)
    if name == "__call__":
        return call(frame, node, module, args, keywords)
    if name == "forward":
        return call_module(frame, node, module, args, keywords)  # neither hooks, nor what was put in its place
    if name in ("parameters", "buffers"):
        origin = PARAMETER if name == "parameters" else BUFFER
        return Sequence("generator", None, Tensor(origin, alias=True, fixed=True, requires_grad=origin == PARAMETER))
    if name in ("named_parameters", "named_buffers"):
        origin = PARAMETER if name == "named_parameters" else BUFFER
        return Sequence(
            "generator",
            None,
            Sequence("tuple", [STATIC_STR, Tensor(origin, alias=True, fixed=True, requires_grad=origin == PARAMETER)]),
        )
    if name in ("append", "extend", "insert") and isinstance(module.elements, Sequence):
        if name == "append" and args:
            put(frame, module, args[0])
        elif name == "insert" and len(args) > 1:
            insert(frame, module.elements, *args[:2])
        elif args:
            extend(frame, module.elements, args[0])
        return module
    if name in ("keys", "values", "items") and isinstance(module.elements, Mapping):
        return mapping_view(module.elements, name)
    if name == "update" and isinstance(module.elements, Mapping) and args and type(args[0]) is Mapping:
        module.elements.items.update(args[0].items)
        if args[0].element is not None or frame.depth:
            module.elements.element = TOP
        return NONE
    if name in GIVING_THEMSELVES:
        frame.emit_call(node, f"torch.nn.Module.{name}", [module, *args], keywords)
        return given_itself(frame, module, name, args)
    if name in FORWARD_HOOKS and args and not frame.traced:
        if all(hook.key() != args[0].key() for _, hook, _ in module.hooks) and len(module.hooks) < MAX_HOOKS:
            module.hooks.append((name, args[0], keywords))
        return TOP
    if name.startswith("register_"):
        frame.emit_call(node, f"torch.nn.Module.{name}", [module, *args], keywords)
        return TOP
    return TOP


def given_itself(frame: Frame, module: Instance, name: str, args: list[Value]) -> Instance:
    """What a method of every module that returns it gives."""
    if name in ("train", "eval"):
        _choose_mode(frame, module, name, args)
    return module


def _choose_mode(frame: Frame, module: Instance, name: str, args: list[Value]) -> None:
    """`module.eval()`, `module.train(mode)`: what `training` of it and of all that it holds is from now on."""
    mode = Const(name == "train") if not args else args[0] if type(args[0]) is Const else STATIC_BOOL
    if frame.depth:
        mode = STATIC_BOOL
    waiting, done = [module], set[int]()
    while waiting:
        one = waiting.pop()
        if id(one) not in done:
            done.add(id(one))
            if frame.traced:
                frame.run.heap[id(one), "training"] = mode
                frame.summary.pure = False
            else:
                one.own_mode = mode
            children(frame.run, one)  # the calls that put modules on it are made
            held = [*one.attributes.values(), *(() if one.elements is None else contained(one.elements))]
            waiting += [choice for value in held for choice in choices(value) if type(choice) is Instance]


def _begins_unset(module: Instance, name: Value) -> bool:
    """Whether a module may have no tensor by that name when it is called: a table that is made longer is there already."""
    held = module.attributes.get(name.value, NONE) if type(name) is Const and isinstance(name.value, str) else TOP
    return any(map(is_none, choices(held)))


def _registers_later(module: Instance, name: object) -> bool:
    """Whether a method of a module, other than its constructor, registers a buffer that begins as None."""
    own = module.cls
    if own is None or not own.module.mentions("register_buffer"):
        return False
    return any(name in registered_names(method) for method in own.methods.values() if method.name != "__init__")


def registered_names(method: FunctionInfo) -> frozenset[str]:
    """The names of the buffers that statements of a function register of self."""
    statements = own_statements(method.node) if method.module.mentions("register_buffer") else ()
    calls = [s.value for s in statements if isinstance(s, ast.Expr) and isinstance(s.value, ast.Call)]
    names = [made.args[0] for made in calls if made.args and dotted(made.func) == "self.register_buffer"]
    return frozenset([name.value for name in names if isinstance(name, ast.Constant) and isinstance(name.value, str)])


def _register(frame: Frame, module: Instance, args: list[Value], keywords: dict[str, Value], origin: str) -> Value:
    key = args[0] if args else keywords.get("name")
    value = args[1] if len(args) > 1 else keywords.get("tensor", keywords.get("param", TOP))
    held: list[Value] = []
    for choice in choices(value):
        if type(choice) is Const and choice.value is None:
            held.append(NONE)
            if not frame.traced and type(key) is Const and _registers_later(module, key.value):
                # What a call registers is there before the export, if the model was called once.
                held.append(Tensor(origin, alias=True, fixed=True, evidence=Evidence.DERIVED))
        else:
            known = choice if type(choice) is Tensor else None
            held.append(
                Tensor(
                    origin,
                    alias=True,
                    fixed=True,
                    requires_grad=known is not None and known.requires_grad,
                    dtype=known.dtype if known is not None else None,
                    rank=known.rank if known is not None else None,
                    shape=known.shape if known is not None and known.rank == 0 else None,
                    dims=known.dims if known is not None else None,
                )
            )
    for name in choices(key) if key is not None else ():
        if type(name) is not Const or not isinstance(name.value, str):
            module.open = True
        elif frame.traced and module.state and not module.building:
            keep_of_call(frame, module, name.value, join_all(held))
        else:
            old = module.attributes.get(name.value)
            module.attributes[name.value] = join_all([*held, *([old] if old is not None and frame.depth else [])])
    return NONE


def _is_given_parameter(frame: Frame, node: ast.AST, module: Instance) -> bool:
    """Whether a parameter is registered as a buffer that the call makes, or a name of the function stands for: nothing else
    of the module is known to have registered it."""
    if not isinstance(node, ast.Call) or frame.function is None:
        return False
    given = node.args[1] if len(node.args) > 1 else next((k.value for k in node.keywords if k.arg == "tensor"), None)
    if isinstance(given, ast.Name):
        bound = [s for s in own_statements(frame.function.node) if isinstance(s, ast.Assign)]
        named = [s.value for s in bound if any(isinstance(t, ast.Name) and t.id == given.id for t in s.targets)]
        value = frame.lookup(given.id)
        if len(named) != 1 or any(held is value for held in module.attributes.values()):
            return False
        given = named[0]
    return isinstance(given, ast.Call) and dotted(given.func).rpartition(".")[2] == "Parameter"


def mapping_view(mapping: Mapping, name: str) -> Value:
    """`keys()`, `values()` or `items()` of a dict."""
    if mapping.element is None:
        keys: list[Value] = [Const(k) for k in mapping.items]
        values = list(mapping.items.values())
        if name == "keys":
            return Sequence("list", keys)
        if name == "values":
            return Sequence("list", values)
        return Sequence("list", [Sequence("tuple", [k, v]) for k, v in zip(keys, values, strict=True)])
    if name == "keys":
        return Sequence("list", None, STATIC_STR)
    if name == "values":
        return Sequence("list", None, mapping.any())
    return Sequence("list", None, Sequence("tuple", [STATIC_STR, mapping.any()]))
